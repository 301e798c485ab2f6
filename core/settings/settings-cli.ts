import { parseArgs } from 'node:util';
import { loadSettings } from './load-settings.js';
import { printSettings } from './print-settings.js';
import { SettingsError } from './settings-error.js';

// The command behind `npm run settings`: prints every effective value with its origin; --changed leaves out shipped
// ones.
const { values } = parseArgs({
  options: { settings: { type: 'string' }, changed: { type: 'boolean', default: false } },
});
try {
  const settings = loadSettings({
    env: process.env,
    cwd: process.cwd(),
    ...(values.settings === undefined ? {} : { argvFile: values.settings }),
  });
  process.stdout.write(printSettings(settings, { changedOnly: values.changed }));
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
