import type { Catalog } from '@quire/catalog';
import type { Principal } from '@quire/registry';
import type { AvailabilityTable, Guard } from '../../access/index.js';
import type { Runner, WorkerPool } from '../../execution/index.js';
import type { Counters, Metrics } from '../../info/index.js';
import type { JobService } from '../../jobs/index.js';
import type { PipelineService } from '../../pipeline/index.js';
import type { Settings } from '../../settings/index.js';

/** What core's own endpoints stand on. */
export interface EndpointParts {
  readonly settings: Settings;
  readonly guard: Guard;
  readonly availability: () => AvailabilityTable;
  readonly catalog: () => Catalog;
  readonly runner: () => Runner;
  readonly pool: () => WorkerPool;
  readonly pipelines: () => PipelineService;
  readonly jobs: () => Promise<JobService>;
  readonly counters: Counters;
  readonly metrics: Metrics;
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
