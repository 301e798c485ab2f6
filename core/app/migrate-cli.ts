import { parseArgs } from 'node:util';
import { dirname } from 'node:path';
import { SettingsError, loadSettings, shippedSettingsFile } from '../settings/index.js';
import { isQuireError } from '@quire/registry/errors';
import { migrateStore } from './migrate-store.js';
import { productVersion } from './run-main.js';

// The command behind `npm run store:migrate`: moves the store of the base folder into the MongoDB of the settings.
const shippedFile = shippedSettingsFile();
try {
  const { values } = parseArgs({ options: { settings: { type: 'string' } } });
  const settings = loadSettings({
    shippedFile,
    env: process.env,
    cwd: process.cwd(),
    ...(values.settings === undefined ? {} : { argvFile: values.settings }),
  });
  await migrateStore({
    settings,
    version: productVersion(dirname(shippedFile)),
    say: (line) => void process.stdout.write(`${line}\n`),
  });
} catch (error) {
  const told =
    error instanceof SettingsError || isQuireError(error) || (error as Error | undefined)?.name === 'TypeError';
  process.stderr.write(
    'Nothing was lost, but the store was not ' +
      `moved.\n${told ? (error as Error).message : String((error as Error | undefined)?.message ?? error)}\n`,
  );
  process.exitCode = 1;
}
