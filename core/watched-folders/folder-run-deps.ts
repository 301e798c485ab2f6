import type { Clock, Logger, Principal } from '@quire/registry';
import type { PipelineReport, PipelineService } from '../operations/pipelines/index.js';
import type { FreeNames } from './free-names.js';
import type { WorkDeps } from './pipeline-work.js';
import type { FolderDefinition } from './read-definition.js';
import type { ReportedError } from './run-report.js';
import type { ScanSettings } from './scan-settings.js';

/** Shared by the runs of all folders. */
export interface FolderRunDeps extends Omit<WorkDeps, 'runMs'> {
  readonly settings: ScanSettings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly names: FreeNames;
  /** Called for every run that has ended. Must not throw. */
  readonly ended?: (end: FolderRunEnd) => void;
}

/** A run that has ended. */
export interface FolderRunEnd {
  readonly run: string;
  /** The watched folder, from the root of all of them. */
  readonly folder: string;
  readonly principal: Principal;
  /** Milliseconds of this start of the run. */
  readonly ms: number;
  /** The first fault of its inputs; undefined when all went well. */
  readonly fault: ReportedError | undefined;
}

/** What a run needs of its folder. */
export interface FolderRunTask {
  readonly watched: string;
  readonly fromRoot: string;
  readonly definition: FolderDefinition;
  readonly report: PipelineReport;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** False when another node may have taken the folder over. */
  stillOurs(): Promise<boolean>;
}

/** The right to work in a folder that several nodes see. */
export interface FolderRight {
  /** False when it was lost. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface WatchedFolderDeps extends Omit<FolderRunDeps, 'pipelines'> {
  readonly pipelines: Pick<PipelineService, 'run' | 'verify'>;
  /** The account that the work is done for, with the rights that it has now. */
  principal(): Promise<Principal>;
  /** Waits for a place among all runs; call the result to leave it. */
  place(signal: AbortSignal): Promise<() => void>;
  /** Takes the right to a folder; undefined while another node has it. Absent where there is no other node. */
  right?(key: string): Promise<FolderRight | undefined>;
  /** After this time in the queue a run is planned again, ms; 30 s when missing. */
  readonly planMs?: number;
  /** No run begins after it is aborted; `kill` ends those at work. */
  readonly stopping: AbortSignal;
  readonly kill: AbortSignal;
}
