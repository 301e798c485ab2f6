import { useSignal, useSignalEffect } from '@preact/signals';
import { config, dutyWanted, loadCatalog, loadConfig, loginWanted } from '../api/index.ts';
import { Button, Dialog, Empty, IconButton, Toasts } from '../components/index.ts';
import { language } from '../i18n/index.ts';
import { t } from '../i18n/frame.ts';
import { Brand, Navigation } from './navigation.tsx';
import { openPalette, PaletteHost } from './palette-host.tsx';
import { path } from './router.ts';
import { findScreen } from './screens.ts';
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
  if (found?.screen.outside === true)
    return (
      <main class="outside" id="main">
        <ScreenHost found={found} />
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
  return (
    <main class="outside">
      <Empty whole icon="cloud-off" title={t('The server cannot be reached')}>
        <p class="soft">{t('It may be starting, or the network is down.')}</p>
        <Button
          kind="primary"
          icon="refresh-cw"
          onClick={() => void Promise.all([loadConfig(), loadCatalog(true)]).catch(() => undefined)}
        >
          {t('Try again')}
        </Button>
      </Empty>
    </main>
  );
}
