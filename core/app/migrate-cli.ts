import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingsError, loadSettings } from '../settings/index.js';
import { isQuireError } from '@quire/registry/errors';
import { migrateStore } from './migrate-store.js';
import { productVersion } from './run-main.js';

// The command behind `npm run store:migrate`: moves the store of the base folder into the MongoDB of the settings.
const productRoot = join(fileURLToPath(import.meta.url), '..', '..', '..', '..');
try {
  const { values } = parseArgs({ options: { settings: { type: 'string' } } });
  const settings = loadSettings({
    shippedFile: join(productRoot, 'config', 'settings.yml'),
    env: process.env,
    cwd: process.cwd(),
    ...(values.settings === undefined ? {} : { argvFile: values.settings }),
  });
  await migrateStore({
    settings,
    version: productVersion(productRoot),
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
