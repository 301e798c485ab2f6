import type { Automation } from '../automations/model.js';
import type { ItemCounts, Page, PageQuery } from '../items/history.js';
import type { ItemState, ShownItem } from '../items/item-record.js';
import type { LastingFault } from '../runs/engine.js';
import type { RunRecord, RunState } from '../runs/run-records.js';
import type { Tally } from '../runs/tallies.js';

/** A watched folder as an automation. */
export interface FolderAutomation {
  /** Its id is that of the folder; without sources and destinations. */
  readonly automation: Automation;
  /** The folder, below its watched root. */
  readonly path: string;
  readonly counts: ItemCounts;
  readonly problems: readonly LastingFault[];
}

/** The watched folders of all nodes. Calls reject with STORE_DOWN. */
export interface FolderAutomations {
  /** Those with a pipeline or a problem; none while watched folders are switched off. */
  list(): Promise<readonly FolderAutomation[]>;
  find(id: string): Promise<FolderAutomation | undefined>;
  /** Failed files, and those of the last runs; files that wait or are processed are only counted. */
  items(id: string, page: PageQuery, state?: ItemState): Promise<Page<ShownItem>>;
  /** Runs that have ended and began at `before` (milliseconds since 1970) or earlier, the newest first. */
  runs(id: string, limit: number, before?: number, state?: RunState): Promise<readonly RunRecord[]>;
  /**
   * Processes one failed file again, or all; returns how many. Throws NOT_FOUND for one that is not there,
   * FAILED_FILE_GONE, WATCHED_FOLDER_UNREACHABLE.
   */
  retry(id: string, itemId?: string): Promise<number>;
  /** Another number after every change that this node has seen. */
  version(): number;
  /** Files that wait and runs that are active, by the id of the folder. */
  backlog(): Promise<ReadonlyMap<string, number>>;
  /** Runs and failed files of this process, by the id of the folder. */
  tallies(): ReadonlyMap<string, Tally>;
}
