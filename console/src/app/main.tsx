import { render } from 'preact';
import '../styles/index.ts';
import { config, credentials, loadConfig, loadUser, prefetchCatalog } from '../api/index.ts';
import { chooseLanguage, hasChosenLanguage, language, setLanguage } from '../i18n/index.ts';
import { leadToFirstSteps } from './first-steps.ts';
import { reloadStyles } from './reload-styles.ts';
import { applyPreferences } from './preferences.ts';
import { path, startRouter } from './router.ts';
import { prepareScreen } from './screen-host.tsx';
import { findScreen, isOutside, isOwnPath } from './screens.ts';
import { Shell } from './shell.tsx';
// The start page is small, and one waits for each request: it comes with the first script.
import '../screens/tools/index.tsx';

/** Most ms that the first drawing waits for its screen: drawing once is quicker than drawing it bit by bit. */
const PATIENCE_MS = 250;

reloadStyles();
applyPreferences();
startRouter(isOwnPath);
leadToFirstSteps();
void start(loadFirstScreen());

/** Loads what the first screen needs beside the settings, not after them. Never rejects. */
async function loadFirstScreen(): Promise<void> {
  const screen = findScreen(path.peek())?.screen;
  if (screen === undefined) return;
  await Promise.all([
    // The screen's host reports an error.
    prepareScreen(screen).catch(() => undefined),
    isOutside(screen, credentials.peek() !== undefined) ? undefined : prefetchCatalog(),
  ]);
}

async function start(firstScreen: Promise<void>): Promise<void> {
  const patience = new Promise((resolve) => void setTimeout(resolve, PATIENCE_MS));
  // The shell says what is wrong, and tries again.
  await loadConfig().catch(() => undefined);
  void loadUser().catch(() => undefined);
  const given = config.value?.defaultLocale ?? '';
  await setLanguage(hasChosenLanguage() || given === '' ? language.peek() : chooseLanguage([given]), false);
  await Promise.race([firstScreen, patience]);
  render(<Shell />, document.getElementById('app')!);
}
