import { createHash } from 'node:crypto';
import { jobUuid } from '../../jobs/index.js';

export const itemStates = ['waiting', 'running', 'delivering', 'delivered', 'parked'] as const;
export type ItemState = (typeof itemStates)[number];

export const itemTriggers = ['manual', 'schedule', 'arrival', 'upload'] as const;
export type ItemTrigger = (typeof itemTriggers)[number];

/** Why a file waits or is parked. */
export interface ItemReason {
  /** Code of the error catalogue, or one of this module: CANCELLED, RESULT_GONE, OWN_OUTPUT, SAME_CONTENT. */
  readonly code: string;
  readonly detail: string;
}

/** The delivery of one file of the result to one destination. */
export interface DeliveryState {
  /** Id of the destination. */
  readonly destination: string;
  /** Position of the file in the result. */
  readonly file: number;
  readonly done: boolean;
  /** In words; null until it is done. */
  readonly place: string | null;
  /** What the destination remembered. */
  readonly note: string | null;
  /** The version that the input has since then, where the result has replaced its content. */
  readonly inputVersion?: string;
}

/** One file of one source for one automation: the unit that ends once. Times are milliseconds since 1970. */
export interface ItemRecord {
  readonly id: string;
  readonly automationId: string;
  /** Id of the source; empty for files that were uploaded. */
  readonly sourceId: string;
  /** Key in the source; a UUID for files that were uploaded. */
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly version: string;
  readonly changedAt: number;
  /** When this version was found. Part of the ids of its deliveries. */
  readonly foundAt: number;
  readonly sha256: string | null;
  readonly state: ItemState;
  /** Since when it has this state. */
  readonly since: number;
  /** It is worked on again from then on. */
  readonly nextAt: number;
  /** Starts so far, part of the ids of its jobs. */
  readonly attempts: number;
  /** Failures in a row that may pass. */
  readonly failures: number;
  readonly reason: ItemReason | null;
  readonly jobId: string | null;
  /** Id of its run, when the job is one for several files; missing otherwise, and in old records. */
  readonly runId?: string | null;
  /** Its position among the inputs of that job. */
  readonly part?: number | null;
  /** Whether it gets a job of its own: one for several files has failed. */
  readonly alone?: boolean;
  /** Whether that job has succeeded, so that only the delivery is left. */
  readonly hasResult: boolean;
  /** Random id of the work that may change it while it is running or delivering; empty otherwise. */
  readonly claim: string;
  readonly deliveries: readonly DeliveryState[];
  /** Whether the source was told that the file is done with. */
  readonly finished: boolean;
  /** Whether it has left the source. */
  readonly gone: boolean;
  /** Ids of automations whose output it is, joined with blanks. */
  readonly lineage: string;
  /** Whether somebody has put it back to work, although it may be an output. */
  readonly byHand: boolean;
  /** What found it. */
  readonly trigger: ItemTrigger;
}

/** A file of an automation as people see it. */
export type ShownItem = Omit<
  ItemRecord,
  | 'automationId'
  | 'key'
  | 'version'
  | 'changedAt'
  | 'sha256'
  | 'failures'
  | 'hasResult'
  | 'part'
  | 'alone'
  | 'finished'
  | 'gone'
  | 'lineage'
  | 'byHand'
>;

export const UPLOADED = '';

export function itemIdOf(automationId: string, sourceId: string, key: string): string {
  return digest(automationId, sourceId, key);
}

/** The random part of the id of a job: the same for every start of the same attempt. */
export function jobUuidOf({ id, foundAt, attempts }: Pick<ItemRecord, 'id' | 'foundAt' | 'attempts'>): string {
  return jobUuid(id, String(foundAt), String(attempts));
}

/** Id of the run that its job is, or is for among others; null before its first. */
export function runIdOf({ runId, jobId }: Pick<ItemRecord, 'runId' | 'jobId'>): string | null {
  return runId ?? jobId;
}

/** The same for every attempt to deliver this file of the result of this version. */
export function deliveryIdOf(
  { id, foundAt, version }: Pick<ItemRecord, 'id' | 'foundAt' | 'version'>,
  destination: string,
  file: number,
): string {
  return digest('delivery', id, String(foundAt), version, destination, String(file)).slice(0, 40);
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
