import { render } from 'preact';
import '../styles/index.ts';
import { config, loadConfig, loadUser, prefetchCatalog } from '../api/index.ts';
import { chooseLanguage, hasChosenLanguage, language, setLanguage } from '../i18n/index.ts';
import { leadToFirstSteps } from './first-steps.ts';
import { reloadStyles } from './reload-styles.ts';
import { applyPreferences } from './preferences.ts';
import { path, startRouter } from './router.ts';
import { findScreen, isOwnPath } from './screens.ts';
import { Shell } from './shell.tsx';

reloadStyles();
applyPreferences();
startRouter(isOwnPath);
leadToFirstSteps();
loadFirstScreen();
void start();

/** Loads what the first screen needs beside the settings, not after them. */
function loadFirstScreen(): void {
  const screen = findScreen(path.peek())?.screen;
  // The screen's host reports an error.
  screen?.load().catch(() => undefined);
  if (screen !== undefined && screen.outside !== true) prefetchCatalog();
}

async function start(): Promise<void> {
  // The shell says what is wrong, and tries again.
  await loadConfig().catch(() => undefined);
  void loadUser().catch(() => undefined);
  const given = config.value?.defaultLocale ?? '';
  await setLanguage(hasChosenLanguage() || given === '' ? language.peek() : chooseLanguage([given]), false);
  render(<Shell />, document.getElementById('app')!);
}
