import type { Catalog, CatalogOperation, LoadedPlugin } from '@quire/catalog';
import type { Endpoint, Logger, Outbound, Principal, Token } from '@quire/registry';
import type { AvailabilityTable, Guard } from '../access/index.js';
import type { Callbacks } from '../jobs/callbacks/index.js';
import type { Needs, NodeRole } from '../jobs/cluster/index.js';
import type { AuthorsOf, Runner } from '../operations/runner/index.js';
import type { KeptAnswers } from '../jobs/idempotency/index.js';
import type { Counters, WeeklyBrowsers } from '../metrics/index.js';
import type { JobService } from '../jobs/index.js';
import type { Allowance, DailyLimits } from '../billing/index.js';
import type { SavedToolsOf } from '../openapi/index.js';
import type { PipelineService } from '../operations/pipelines/index.js';
import type { Settings } from '../settings/index.js';
import type { DiskReserve, Storage } from '../storage/index.js';
import type { AuditCallsDeps } from './routes/audit-calls.js';
import type {} from './hapi-state.js';
import type { ErrorForm } from './response/error-form.js';
import type { FormLimits } from './request/read-form.js';

export interface HttpDeps {
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly guard: Guard;
  readonly availability: AvailabilityTable;
  readonly runner: Runner;
  /** Makes a worker ready for a call of this plugin that is still being received. */
  prepareWorker(plugin: LoadedPlugin): void;
  readonly allowance: Allowance;
  readonly pipelines: PipelineService;
  /** Jobs start after the server listens; a call before that waits for them. */
  jobs(): Promise<JobService>;
  readonly callbacks: Callbacks;
  readonly keptAnswers: KeptAnswers;
  readonly outbound: Outbound;
  /** Files of users; undefined while login or storage is off. */
  readonly storage: Storage | undefined;
  readonly role: NodeRole;
  /** Space that stays free on the server's volumes. */
  readonly disk: Pick<DiskReserve, 'admit'>;
  /** The features that a node needs to run these operations. */
  needsOf(entries: readonly CatalogOperation[]): Needs;
  /** True when another node can run jobs of these operations and this node cannot. */
  takenElsewhere(entries: readonly CatalogOperation[]): Promise<boolean>;
  readonly counters: Counters;
  readonly browsers: WeeklyBrowsers;
  /** The audit log and the names of accounts; undefined while the log is off. */
  readonly audit: Omit<AuditCallsDeps, 'prefix'> | undefined;
  /** Reads the authors of uploaded documents for the audit log. */
  readonly authorsOf: AuthorsOf;
  /** Daily limits of roles; undefined while login is off. */
  readonly dailyLimits: DailyLimits | undefined;
  readonly formLimits: FormLimits;
  /** False for callers whose role does not include stored files. */
  mayReadStored(principal: Principal): boolean;
  /** Returns the most bytes in a request of this caller; undefined without a limit of the role. */
  mostBytesOf(principal: Principal): number | undefined;
  /** Parent of every request's private folder. */
  readonly scratchRoot: string;
  readonly version: string;
  readonly log: Logger;
  /** Folders that are searched for plugins. */
  readonly resolveFrom: readonly string[];
  /** The saved pipelines that a caller may run now. */
  readonly savedTools: SavedToolsOf;
  /** Core's own endpoints. */
  readonly endpoints: readonly Endpoint[];
  /** Services for a plugin's endpoints; core's own endpoints have none. */
  serviceOf<T>(plugin: LoadedPlugin | undefined, token: Token<T>): T;
  /** Addresses whose errors have another form than problem documents. */
  readonly errorForms: readonly ErrorForm[];
  /** Owner of this caller's jobs; empty while login is off. */
  ownerOf(principal: Principal): string;
  /** False while the server drains. */
  accepting(): boolean;
}
