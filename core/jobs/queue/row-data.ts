import type { Needs } from '../cluster/index.js';

/** The data in a queue row. */
export interface RowData {
  readonly jobId: string;
  /** Operations that a node must have; `kind` is a short name for them. Missing in rows of earlier versions. */
  readonly needs?: Needs;
  readonly kind?: string;
  /** Owner of the job, and its turn (store time in ms). Missing in rows of earlier versions, and without login. */
  readonly owner?: string;
  readonly order?: number;
}
