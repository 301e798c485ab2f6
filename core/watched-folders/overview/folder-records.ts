import type { FolderPlace } from './folder-id.js';
import type { FolderStatus } from './folder-status.js';
import type { EndedRun, ReportedError } from '../run-report.js';
import type { Records, Store } from '../../store/index.js';

export type RunOutcome = 'done' | 'partly' | 'failed';

/** A run in the history of a folder. */
export interface FolderRunRecord extends Omit<EndedRun, 'retryOf'> {
  readonly endedAtMs: number;
  readonly outcome: RunOutcome;
  /** All files and outputs; the lists contain the first ones only. */
  readonly fileCount: number;
  readonly outputCount: number;
  /** True for a run that processed failed files again. */
  readonly retry: boolean;
}

/** A file in the folder for failed files, until it is processed again or forgotten. */
export interface FailedFileRecord {
  readonly id: string;
  readonly folder: string;
  readonly run: string;
  readonly name: string;
  /** Where it is, inside its watched folder. */
  readonly keptAs: string;
  readonly bytes: number;
  readonly failedAt: string;
  readonly failedAtMs: number;
  readonly error: ReportedError;
}

/** Numbers of the files of a folder that have ended. */
export interface FolderTotalsRecord {
  /** Id of the folder. */
  readonly id: string;
  readonly done: number;
  readonly failed: number;
  /** The day of the next two, UTC. */
  readonly day: string;
  readonly doneToday: number;
  readonly failedToday: number;
  readonly lastRun: { readonly id: string; readonly endedAt: string; readonly outcome: RunOutcome };
}

/** The state of a folder as a node sees it. */
export interface FolderStateRecord extends FolderPlace, FolderStatus {
  /** `<folder> <node>`. */
  readonly id: string;
  readonly folder: string;
  readonly node: string;
  readonly changedAtMs: number;
}

export interface FolderRecords {
  readonly runs: Records<FolderRunRecord>;
  readonly failed: Records<FailedFileRecord>;
  readonly totals: Records<FolderTotalsRecord>;
  readonly states: Records<FolderStateRecord>;
}

export function openFolderRecords(store: Pick<Store, 'records'>): FolderRecords {
  return {
    runs: store.records<FolderRunRecord>('folder_runs', { keys: ['folder', 'endedAtMs'] }),
    failed: store.records<FailedFileRecord>('folder_failed', { keys: ['folder', 'failedAtMs'] }),
    totals: store.records<FolderTotalsRecord>('folder_totals'),
    states: store.records<FolderStateRecord>('folder_states', { keys: ['folder', 'node'] }),
  };
}
