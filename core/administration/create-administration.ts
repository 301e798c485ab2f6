import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock, Endpoint, Logger } from '@quire/registry';
import type { ProgramSupervisor } from '../engines/programs/index.js';
import type { SettingsFile } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { createBackups, type CreateBackupsDeps } from './backups/index.js';
import type { AdministrationServices } from './administration-services.js';
import { administrationEndpoints, type AdministrationEndpointDeps } from './endpoints/index.js';
import {
  engineFacts,
  FirstRun,
  packageLicences,
  ProgramFacts,
  type EngineFact,
  type OnceRecord,
  type PackageLicence,
} from './index.js';

/** Folder of the package @quire/core. */
const CORE_PACKAGE = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface CreateAdministrationDeps extends Omit<AdministrationEndpointDeps, 'admin'>, CreateBackupsDeps {
  readonly settingsFile: SettingsFile;
  readonly programs: ProgramSupervisor;
  readonly store: Store;
  readonly log: Logger;
  readonly clock: Clock;
  installationId(): Promise<string>;
  /** Stops the server so that its supervisor restarts it; undefined without a supervisor. */
  readonly restart: (() => void) | undefined;
}

export interface AdministrationFeature {
  readonly endpoints: readonly Endpoint[];
  /** Loads the earlier choices of the operator. */
  start(): Promise<void>;
  /** Begins with the scheduled backups. */
  startBackups(): void;
  /** Waits for a backup that is being made. */
  stop(): Promise<void>;
}

/** Creates the endpoints of administration, capabilities and configuration, with the services that they share. */
export function createAdministration(deps: CreateAdministrationDeps): AdministrationFeature {
  const { settings, settingsFile, installationId, programs, store, log, clock, catalog, restart } = deps;
  let engines: readonly EngineFact[] | undefined;
  let packages: Promise<readonly PackageLicence[]> | undefined;
  const firstRun = new FirstRun({
    records: store.records<OnceRecord>('once'),
    clock,
    log,
    configured: settings.get('system.enableAnalytics'),
  });
  const backups = createBackups(deps);
  const admin: AdministrationServices = {
    firstRun,
    programFacts: new ProgramFacts({ programs, log }),
    settingsFile,
    installationId,
    engines: () => (engines ??= engineFacts(catalog().plugins)),
    packages: () =>
      (packages ??= packageLicences([CORE_PACKAGE, ...catalog().plugins.map(({ root }) => root)], ['@quire/'])),
    database: {
      kind: store.kind,
      version: () => store.version(),
      backups: backups.backups,
    },
    ...(restart === undefined ? {} : { restart }),
  };
  return {
    endpoints: administrationEndpoints({ ...deps, admin }),
    start: () => firstRun.start(),
    startBackups: () => backups.start(),
    stop: () => backups.stop(),
  };
}
