import type { SettingsFile } from '../settings/index.js';
import type { Backups } from '../store/index.js';
import type { EngineFact } from './engine-facts.js';
import type { FirstRun } from './first-run.js';
import type { PackageLicence } from './package-licences.js';
import type { ProgramFacts } from './program-facts.js';

/** Shared by the endpoints of administration, licence and capabilities. */
export interface AdministrationServices {
  readonly firstRun: FirstRun;
  readonly programFacts: ProgramFacts;
  readonly settingsFile: SettingsFile;
  /** Document libraries with their versions. */
  engines(): readonly EngineFact[];
  /** Third-party packages installed with the server; read on first use. */
  packages(): Promise<readonly PackageLicence[]>;
  /** A random id, created on first use and kept in the store. Rejects with STORE_DOWN. */
  installationId(): Promise<string>;
  readonly database: {
    readonly kind: 'embedded' | 'mongodb';
    /** Rejects with STORE_DOWN. */
    version(): Promise<string>;
    /** Undefined with MongoDB, which has its own backup tools. */
    readonly backups: Backups | undefined;
  };
  /** Stops the server so that its supervisor restarts it; undefined without a supervisor. */
  readonly restart?: () => void;
}
