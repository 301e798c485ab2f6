import type { CatalogOperation } from '@quire/catalog';
import type { Clock, Logger, Principal } from '@quire/registry';
import type { FreeNames } from '../folders/index.js';
import type { Needs } from '../jobs/cluster/index.js';
import type { JobService } from '../jobs/index.js';
import type { PipelineReport, PipelineService } from '../operations/pipelines/index.js';
import type { RunPlaces } from './runs/run-places.js';
import type { FolderDefinition } from './read-definition.js';
import type { EndedRun, ReportedError } from './run-report.js';
import type { FolderPlace } from './overview/folder-id.js';
import type { FolderStatus } from './overview/folder-status.js';
import type { ScanSettings } from './scan-settings.js';

/** What runs of watched folders need to be jobs. */
export interface FolderJobDeps {
  jobs(): Promise<JobService>;
  needsOf(entries: readonly CatalogOperation[]): Needs;
  ownerOf(principal: Principal): string;
  readonly log: Logger;
}

/** Shared by the runs of all folders. */
export interface FolderRunDeps extends FolderJobDeps {
  readonly settings: ScanSettings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly names: FreeNames;
  /** Called for every run that has ended. Must not throw. */
  readonly ended?: (end: FolderRunEnd) => void;
  /** Keeps the history of a run; called at least once for every run that has ended, before its journal is removed. */
  readonly keep?: (run: EndedRun) => Promise<void>;
}

/** Receives the states of the folders of this node. Must not throw. */
export interface FolderObserver {
  changed(place: FolderPlace, status: FolderStatus): void;
  gone(place: FolderPlace): void;
}

/** A run that has ended. */
export interface FolderRunEnd {
  readonly run: string;
  /** The watched folder, relative to its root. */
  readonly folder: string;
  readonly principal: Principal;
  /** Duration of the last attempt of the run, ms. */
  readonly ms: number;
  /** The first error of its inputs; undefined when all succeeded. */
  readonly fault: ReportedError | undefined;
}

/** The folder's data for one run. */
export interface FolderRunTask {
  /** Id of the folder. */
  readonly folder: string;
  readonly watched: string;
  readonly fromRoot: string;
  readonly definition: FolderDefinition;
  readonly report: PipelineReport;
  readonly principal: Principal;
  /** Aborted when nobody waits for the run any longer. */
  readonly signal: AbortSignal;
  /** Aborted when the server stops: a job that still waits then is left for the next start. */
  readonly stopping: AbortSignal;
  /** True for a run that was interrupted. */
  readonly resumed: boolean;
  /** Called when the job of the run has ended, and only its end is left to do. */
  jobEnded(): void;
  /** Resolves to false when another node may have taken over the folder. */
  stillOurs(): Promise<boolean>;
}

/** The claim of this process on a folder that several nodes can see. */
export interface FolderClaim {
  /** Resolves to false when another node has taken the folder. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export interface WatchedFolderDeps extends FolderRunDeps {
  readonly pipelines: Pick<PipelineService, 'verify'>;
  /** Returns the account that runs use, with the permissions that it has now. */
  principal(): Promise<Principal>;
  readonly places: RunPlaces;
  /** Claims a folder; undefined while another node has it. Missing when there is no other node. */
  readonly claim?: (key: string) => Promise<FolderClaim | undefined>;
  /** A run that waited longer than this reads its pipeline again, ms; default 30 s. */
  readonly planMs?: number;
  readonly observer?: FolderObserver;
  /** No run starts after this is aborted; `kill` aborts those that are running. */
  readonly stopping: AbortSignal;
  readonly kill: AbortSignal;
}
