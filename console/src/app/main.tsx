import { render } from 'preact';
import '../styles/index.ts';
import { config, loadConfig, loadUser } from '../api/index.ts';
import { chooseLanguage, hasChosenLanguage, language, setLanguage } from '../i18n/index.ts';
import { leadToFirstSteps } from './first-steps.ts';
import { applyPreferences } from './preferences.ts';
import { startRouter } from './router.ts';
import { isOwnPath } from './screens.ts';
import { Shell } from './shell.tsx';

applyPreferences();
startRouter(isOwnPath);
leadToFirstSteps();
void start();

async function start(): Promise<void> {
  // The shell says what is wrong, and tries again.
  await loadConfig().catch(() => undefined);
  void loadUser().catch(() => undefined);
  const given = config.value?.defaultLocale ?? '';
  await setLanguage(hasChosenLanguage() || given === '' ? language.peek() : chooseLanguage([given]), false);
  render(<Shell />, document.getElementById('app')!);
}
