import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { config, credentials, dutyWanted, loadCatalog, loadConfig, loginWanted, pause } from '../api/index.ts';
import { Button, Dialog, Empty, IconButton, Toasts } from '../components/index.ts';
import { language } from '../i18n/index.ts';
import { t } from '../i18n/frame.ts';
import { Brand, Navigation } from './navigation.tsx';
import { openPalette, PaletteHost } from './palette-host.tsx';
import { path } from './router.ts';
import { findScreen, isOutside } from './screens.ts';
import { DutyHost } from './duty-host.tsx';
import { LoginHost } from './login-host.tsx';
import { ScreenHost } from './screen-host.tsx';

/** The page: navigation, the screen of the address, and what may be above it. */
export function Shell() {
  const drawer = useSignal(false);
  const found = findScreen(path.value);
  useSignalEffect(() => {
    // A chosen entry of the navigation closes the drawer.
    path.subscribe(() => (drawer.value = false));
  });
  if (config.value === undefined) return <Unreachable />;
  if (found !== undefined && isOutside(found.screen, credentials.value !== undefined))
    return (
      <main class="outside" id="main">
        <ScreenHost found={found} />
        {found.screen.outside === true || loginWanted.value === undefined ? null : <LoginHost />}
        {dutyWanted.value === undefined ? null : <DutyHost />}
        <Toasts />
      </main>
    );
  // What is behind the dialogs goes on once they are done.
  const waits = loginWanted.value !== undefined || dutyWanted.value !== undefined;
  return (
    <div class="shell" data-language={language.value} data-waits={waits ? '' : undefined}>
      <a class="skip" href="#main" onClick={skip}>
        {t('Skip to content')}
      </a>
      <header class="top">
        <IconButton icon="menu" label={t('Menu')} onClick={() => (drawer.value = true)} />
        <Brand />
        <IconButton icon="search" label={t('Search')} onClick={openPalette} />
      </header>
      <aside class="side">
        <Navigation />
      </aside>
      <main id="main" tabIndex={-1}>
        <ScreenHost found={found} />
      </main>
      {drawer.value ? (
        <Dialog kind="sheet" title={t('Menu')} onClose={() => (drawer.value = false)}>
          <Navigation />
        </Dialog>
      ) : null}
      <PaletteHost />
      {loginWanted.value === undefined ? null : <LoginHost />}
      {dutyWanted.value === undefined ? null : <DutyHost />}
      <Toasts />
    </div>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** The first call failed: nothing is known about the server. */
function Unreachable() {
  useEffect(() => {
    const stop = new AbortController();
    void repeatUntilReached(stop.signal);
    return () => stop.abort();
  }, []);
  return (
    <main class="outside">
      <Empty whole icon="cloud-off" title={t('The server cannot be reached')}>
        <p class="soft">{t('It may be starting, or the network is down.')}</p>
        <Button kind="primary" icon="refresh-cw" onClick={() => void tryAgain()}>
          {t('Try again')}
        </Button>
      </Empty>
    </main>
  );
}

const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 15_000;

/** Asks again until the server answers: at once when the browser says that the network is back. */
async function repeatUntilReached(signal: AbortSignal): Promise<void> {
  for (let ms = FIRST_PAUSE_MS; config.peek() === undefined; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
    await pause(ms, signal);
    if (signal.aborted) return;
    await tryAgain();
  }
}

async function tryAgain(): Promise<void> {
  await Promise.all([loadConfig(), loadCatalog(true)]).catch(() => undefined);
}
