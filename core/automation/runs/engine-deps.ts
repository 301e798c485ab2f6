import type { CatalogOperation } from '@quire/catalog';
import type { Clock, Logger, Principal } from '@quire/registry';
import type { Leases, Needs } from '../../jobs/cluster/index.js';
import type { JobService } from '../../jobs/index.js';
import type { PipelineService } from '../../operations/pipelines/index.js';
import type { AutomationRecords } from '../automations/automation-records.js';
import type { Automation } from '../automations/model.js';
import type { Placed, placed } from '../automations/places.js';
import type { Kinds } from '../connector-options.js';
import type { ItemStore } from '../items/item-store.js';
import type { SavedPipelines } from '../saved-pipelines.js';
import type { SourceRecords } from '../sources/source-records.js';
import type { LeftDestinations } from './left-destinations.js';
import type { RunRecords } from './run-records.js';
import type { Tallies } from './tallies.js';

/** Intervals in milliseconds. */
export interface EngineTiming {
  /** How often schedules are compared with the clock, and on a shared store, changes by other nodes are looked for. */
  readonly scheduleSweepMs: number;
  /** How often sources of arrivals are listed although nothing was reported. */
  readonly reconcileMs: number;
  /** How long a source must be quiet after a report before it is listed. */
  readonly watchQuietMs: number;
  /** How long a node has an automation after it has fallen silent. */
  readonly leaseMs: number;
}

/** What runs automations. */
export interface EngineDeps {
  readonly automations: AutomationRecords;
  readonly sources: SourceRecords;
  readonly items: ItemStore;
  /** Destinations that automations had before. */
  readonly left: LeftDestinations;
  readonly runs: RunRecords;
  readonly kinds: Kinds;
  readonly saved: Pick<SavedPipelines, 'runnable'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly scratchRoot: string;
  readonly timing: EngineTiming;
  readonly tallies: Tallies;
  /** Where other nodes share the store: one of them works on an automation. */
  readonly leases: Leases | undefined;
  /** False on a node that runs no jobs: it works only on what it was asked for itself. */
  readonly runsHere: boolean;
  pipelines(): Pick<PipelineService, 'verify'>;
  jobs(): Promise<JobService>;
  needsOf(entries: readonly CatalogOperation[]): Needs;
  ownerOf(principal: Principal): string;
  /** The account of an automation with its current rights. Throws ACCOUNT_DISABLED. */
  principalOf(automation: Pick<Automation, 'ownerId' | 'ownerName'>): Promise<Principal>;
  /** The places of an automation, with what its owner's saved connections stand for. */
  placed(automation: Automation, optionsOf: Parameters<typeof placed>[1]): Promise<Placed>;
  /** Removes deliveries to webhooks that no longer exist. */
  sweepDeliveries(): Promise<unknown>;
  /** Removes stored files that no step names any more. */
  sweepAssets(): Promise<void>;
  /** Removes what is left of processing folders that are gone. */
  sweepFolders(): Promise<void>;
  /** Something about the files or runs of an automation has changed. */
  touched(automationId: string): void;
}
