import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Catalog } from '@quire/catalog';
import type { Clock, Logger } from '@quire/registry';
import {
  engineFacts,
  FirstRun,
  packageLicences,
  ProgramFacts,
  type EngineFact,
  type OnceRecord,
  type PackageLicence,
} from './index.js';
import type { AdminParts } from '../http/index.js';
import type { ProgramSupervisor } from '../engines/programs/index.js';
import { SettingsFile, type Settings } from '../settings/index.js';
import { Backups, keepFact, storeFacts, type Store } from '../store/index.js';

/** Package of this server's core. */
const CORE = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the administration's endpoints stand on. `restart` is absent where nothing would start the server again. */
export function makeAdministration(parts: {
  settings: Settings;
  programs: ProgramSupervisor;
  store: Store;
  log: Logger;
  clock: Clock;
  folder: string;
  catalog: () => Catalog;
  version: string;
  restart: (() => void) | undefined;
}): AdminParts {
  const { settings, programs, store, log, clock, folder, catalog, version, restart } = parts;
  let engines: readonly EngineFact[] | undefined;
  let packages: Promise<readonly PackageLicence[]> | undefined;
  return {
    firstRun: new FirstRun({
      records: store.records<OnceRecord>('once'),
      clock,
      log,
      configured: settings.get('system.enableAnalytics'),
    }),
    programFacts: new ProgramFacts({ programs, folder, log }),
    settingsFile: new SettingsFile(settings),
    engines: () => (engines ??= engineFacts(catalog().plugins)),
    packages: () => (packages ??= packageLicences([CORE, ...catalog().plugins.map(({ root }) => root)], ['@quire/'])),
    installationId: async () =>
      String(
        (
          await keepFact(storeFacts(store), {
            id: 'installation',
            value: randomUUID(),
            by: version,
            at: clock.now().toISOString(),
          })
        ).value,
      ),
    database: {
      kind: store.kind,
      version: () => store.version(),
      backups:
        store.kind === 'embedded'
          ? new Backups({ store, folder: settings.paths.store, clock, keep: settings.get('store.backups.keep') })
          : undefined,
    },
    ...(restart === undefined ? {} : { restart }),
  };
}
