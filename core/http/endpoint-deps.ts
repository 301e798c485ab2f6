import type { Catalog, CatalogOperation } from '@quire/catalog';
import type { Logger, Mailer, Outbound, Principal } from '@quire/registry';
import type { AvailabilityTable, Guard, SwitchBoard } from '../access/index.js';
import type { LoginRooms } from '../access/login-services.js';
import type { AuditLog } from '../audit/index.js';
import type { Callbacks } from '../jobs/callbacks/index.js';
import type { ClusterNodes, Needs } from '../jobs/cluster/index.js';
import type { EngineFact, FirstRun, PackageLicence, ProgramFacts } from '../administration/index.js';
import type { Runner } from '../operations/runner/index.js';
import type { WorkerPool } from '../operations/workers/index.js';
import type { Counters, EndpointDays, Health, Metrics, WeeklyBrowsers } from '../metrics/index.js';
import type { JobService } from '../jobs/index.js';
import type { Allowance } from '../billing/index.js';
import type { MobileScanner } from '../mobile-scanner/index.js';
import type { PipelineService } from '../operations/pipelines/index.js';
import type { Settings, SettingsFile } from '../settings/index.js';
import type { Storage } from '../storage/index.js';
import type { Backups } from '../store/index.js';

/** What the endpoints of administration and capabilities stand on. */
export interface AdminParts {
  readonly firstRun: FirstRun;
  readonly programFacts: ProgramFacts;
  readonly settingsFile: SettingsFile;
  /** Document libraries with their versions. */
  engines(): readonly EngineFact[];
  /** Packages of others that are installed with the server; read at the first call. */
  packages(): Promise<readonly PackageLicence[]>;
  /** A random id that the store keeps from its first question on. Rejects with STORE_DOWN. */
  installationId(): Promise<string>;
  readonly database: {
    readonly kind: 'embedded' | 'mongodb';
    /** Rejects with STORE_DOWN. */
    version(): Promise<string>;
    /** Undefined where a database of its own is used, which has tools for it. */
    readonly backups: Backups | undefined;
  };
  /** Ends this server so that it is started again; absent where nothing would start it. */
  readonly restart?: () => void;
}

/** What core's own endpoints stand on. */
export interface EndpointParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly guard: Guard;
  /** Accounts, keys and sessions; undefined while login is off. */
  readonly login: LoginRooms | undefined;
  readonly mailer: Mailer;
  /** Files of users; undefined while login or storage is off. */
  readonly storage: Storage | undefined;
  /** The audit log; undefined while login or it is off. */
  readonly audit: AuditLog | undefined;
  readonly availability: () => AvailabilityTable;
  readonly switches: () => SwitchBoard;
  readonly admin: AdminParts;
  readonly catalog: () => Catalog;
  readonly runner: () => Runner;
  readonly pool: () => WorkerPool;
  readonly pipelines: () => PipelineService;
  readonly jobs: () => Promise<JobService>;
  readonly callbacks: Callbacks;
  readonly mobileScanner: MobileScanner;
  readonly outbound: Outbound;
  readonly nodes: ClusterNodes;
  /** What a node must have to run these operations. */
  needsOf(entries: readonly CatalogOperation[]): Needs;
  /** True when another node runs jobs of these operations, which this one cannot. */
  takenElsewhere(entries: readonly CatalogOperation[]): Promise<boolean>;
  readonly counters: Counters;
  /** Calls by route and day; empty while `metrics.enabled` is off. */
  readonly days: EndpointDays;
  readonly metrics: Metrics;
  readonly allowance: Allowance;
  readonly browsers: WeeklyBrowsers;
  readonly health: Health;
  readonly version: string;
  readonly scratchRoot: string;
  /** Programs found and missing, by name. */
  readonly programs: () => readonly { readonly name: string; readonly found: boolean; readonly install: string }[];
  ownerOf(principal: Principal): string;
  /** Rejects with STORE_DOWN when the store does not answer. */
  storeReady(): Promise<void>;
  /** True while the server takes new work. */
  accepting(): boolean;
}
