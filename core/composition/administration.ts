import type { Catalog } from '@quire/catalog';
import type { Clock, Logger } from '@quire/registry';
import { engineFacts, FirstRun, ProgramFacts, type EngineFact, type OnceRecord } from '../admin/index.js';
import type { AdminParts } from '../http/index.js';
import type { ProgramSupervisor } from '../programs/index.js';
import { SettingsFile, type Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';

/** What the administration's endpoints stand on. `restart` is absent where nothing would start the server again. */
export function makeAdministration(parts: { settings: Settings; programs: ProgramSupervisor; store: Store; log: Logger; clock: Clock; folder: string; catalog: () => Catalog; restart: (() => void) | undefined }): AdminParts {
  const { settings, programs, store, log, clock, folder, catalog, restart } = parts;
  let engines: readonly EngineFact[] | undefined;
  return {
    firstRun: new FirstRun({ records: store.records<OnceRecord>('once'), clock, log, configured: settings.get('system.enableAnalytics') }),
    programFacts: new ProgramFacts({ programs, folder, log }),
    settingsFile: new SettingsFile(settings),
    engines: () => (engines ??= engineFacts(catalog().plugins)),
    ...(restart === undefined ? {} : { restart }),
  };
}
