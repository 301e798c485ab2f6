import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useLayoutEffect, useState } from 'preact/hooks';
import { askLogin, config, credentials, loadCatalog, loadModule } from '../api/index.ts';
import { Button, Empty, LinkButton, Loading } from '../components/index.ts';
import { textsReady } from '../i18n/index.ts';
import { t } from '../i18n/frame.ts';
import { path } from './router.ts';
import type { ScreenProps } from './screen-props.ts';
import type { findScreen, Screen } from './screens.ts';

const loaded = new Map<string, ComponentType<ScreenProps>>();

/** Loads a screen with its texts. */
export async function prepareScreen({ id, load }: Screen): Promise<void> {
  const { Screen: component } = await loadModule(load);
  await textsReady();
  loaded.set(id, component);
}

/** Loads a screen when it is first shown, and shows it. */
export function ScreenHost({ found }: { readonly found: ReturnType<typeof findScreen> }) {
  const [, setLoaded] = useState('');
  const [failed, setFailed] = useState(false);
  const [crash, resetCrash] = useErrorBoundary();
  const screen = found?.screen;
  const hidden = screen?.hidden === undefined || config.value === undefined ? undefined : screen.hidden(config.value);
  const Found = screen === undefined ? undefined : loaded.get(screen.id);
  const at = path.value;

  useLayoutEffect(() => {
    if (screen === undefined || hidden !== undefined || loaded.has(screen.id)) return;
    setFailed(false);
    prepareScreen(screen)
      .then(() => setLoaded(screen.id))
      .catch(() => setFailed(true));
  }, [screen, hidden]);
  useLayoutEffect(() => {
    scrollTo(0, 0);
    resetCrash();
  }, [at]);
  useLayoutEffect(() => {
    document.title = `${t(screen?.title ?? 'Page not found')} · ${config.value?.appNameNavbar || 'Quire'}`;
  });

  if (screen === undefined) return <NotFound />;
  if (hidden !== undefined) return <Hidden screen={screen} reason={hidden} />;
  if (crash !== undefined || failed)
    return (
      <Empty whole icon="triangle-alert" title={t('This page could not be shown')}>
        <p class="soft">{crash instanceof Error ? crash.message : t('The server may have been updated.')}</p>
        <Button kind="primary" icon="refresh-cw" onClick={() => location.reload()}>
          {t('Load again')}
        </Button>
      </Empty>
    );
  return Found === undefined ? <Loading label={t('Loading')} /> : <Found key={screen.id} params={found!.params} />;
}

function NotFound() {
  // The navigation needs the tools. Nobody has to log in to hear that there is nothing.
  const reads = config.value !== undefined && (!config.value.enableLogin || credentials.value !== undefined);
  useEffect(() => {
    if (reads) void loadCatalog();
  }, [reads]);
  return (
    <Empty whole icon="map-pin-off" title={t('Page not found')}>
      <LinkButton kind="primary" href="./">
        {t('Show all tools')}
      </LinkButton>
    </Empty>
  );
}

/** Why the caller does not see a screen. Who is not logged in may be allowed to, unless it is off for everybody. */
function Hidden({ screen, reason }: { readonly screen: Screen; readonly reason: string }) {
  const known = config.value;
  const loginHelps =
    known?.enableLogin === true &&
    credentials.value === undefined &&
    screen.hidden?.({ ...known, isAdmin: true, adminAreas: null }) === undefined;
  return (
    <Empty whole icon="lock" title={t(screen.title)}>
      <p class="soft">{loginHelps ? t('You are not logged in.') : t(reason)}</p>
      {loginHelps ? (
        <Button kind="primary" icon="log-in" onClick={() => void askLogin()}>
          {t('Log in')}
        </Button>
      ) : null}
      <LinkButton href="./">{t('Show all tools')}</LinkButton>
    </Empty>
  );
}
