import { statSync } from 'node:fs';
import { DefectError, isQuireError, OperationalError, reviveError, serialiseError } from '@quire/registry/errors';
import { mapAtOnce } from '../semaphore/index.js';
import { newBlobId, type FileContents, type StoredBlob, type Where } from '../store/index.js';
import type { JobOutcome } from './job-executor.js';
import type { JobContext } from './job-options.js';
import { localDateTime, type JobRecord, type ResultFile, type StoredInput } from './job-record.js';

/** Files of one job that are put into the store at once: each waits for its disk. */
export const BLOBS_AT_ONCE = 4;
/** Error text of a job that its user cancelled. */
const cancelledText = 'The job was cancelled by the user.';
/** Result of an operation that returned neither a file nor a value. */
export const nothingText = 'The job was completed; it has no output.';

/** What the end of a job changes in its record. */
export type EndFields = Partial<Omit<JobRecord, 'id'>>;

/** Returns the fields that all final states share. They remove uploads and secrets from the record. */
function endingFields({ clock, steady, settings }: JobContext): EndFields {
  const now = steady.now();
  const expiresAtMs = now + settings.resultExpiryMinutes * 60_000;
  return {
    complete: true,
    completedAt: localDateTime(clock.now()),
    completedAtMs: now,
    expiresAtMs,
    expiresAt: new Date(expiresAtMs).toISOString(),
    secret: null,
    inputs: [],
    claimId: null,
    place: null,
    heartbeatAtMs: null,
    queuePosition: null,
  };
}

/**
 * Returns the fields of a failed job. The failure keeps its code and data, so that `/result` responds with its own
 * status.
 */
export function failureFields(context: JobContext, error: unknown, text?: string): EndFields {
  const failure = serialiseError(error);
  return {
    ...endingFields(context),
    status: 'failed',
    failure,
    error: text ?? (isQuireError(error) ? error.message : reviveError(failure).message),
  };
}

/**
 * Stores the final state of a job while `when` holds; returns the record, undefined when it does not hold. Inputs that
 * are with the record give way to `files`, its results.
 */
export function storeEnd(
  { jobs, attached }: Pick<JobContext, 'jobs' | 'attached'>,
  id: string,
  set: EndFields,
  when: Where<JobRecord>,
  files: FileContents = new Map(),
): Promise<JobRecord | undefined> {
  return attached.records === undefined
    ? jobs.update(id, { set }, when)
    : attached.records.replace(id, { set }, when, files);
}

/** Returns true if a record got its end from these fields. */
export function hasEnd(record: JobRecord, fields: EndFields): boolean {
  const same = ['complete', 'status', 'completedAtMs', 'resultKey'] as const;
  return same.every((name) => fields[name] === undefined || record[name] === fields[name]);
}

/** The error of a job that its server did not survive this many times. */
export function stoppedTooOften(stops: number): OperationalError {
  return new OperationalError('WORKER_LOST', { stops });
}

/** Whether the job failed only because its server stopped again and again: by itself, or because of the job. */
export function wasStoppedTooOften({ failure }: Pick<JobRecord, 'failure'>): boolean {
  return failure?.code === 'WORKER_LOST' && failure.data['stops'] !== undefined;
}

/** Returns the fields of a cancelled job. */
export function cancelledFields(context: JobContext): EndFields {
  return {
    ...endingFields(context),
    status: 'cancelled',
    failure: { code: 'CANCELLED', data: {} },
    error: cancelledText,
  };
}

/**
 * Cancels every job of an owner that is not complete; returns their number. Jobs without owner (`''`, login is off)
 * belong to everybody and stay.
 */
export async function cancelOwned(
  { jobs }: JobContext,
  owner: string,
  cancel: (id: string) => Promise<unknown>,
): Promise<number> {
  const open = owner === '' ? [] : await jobs.find({ owner, complete: false });
  let cancelled = 0;
  // Waiting jobs first: otherwise each running job that stops would let the next one start.
  for (const { id } of open.sort((a, b) => Number(b.status === 'queued') - Number(a.status === 'queued'))) {
    const done = await cancel(id).then(
      () => true,
      (error: unknown) => {
        // It ended meanwhile.
        if (isQuireError(error) && (error.code === 'JOB_COMPLETE' || error.code === 'JOB_UNKNOWN')) return false;
        throw error;
      },
    );
    if (done) cancelled += 1;
  }
  return cancelled;
}

/** Deletes result files; a later sweep deletes those that fail now. */
export async function dropResults(context: JobContext, ids: readonly string[]): Promise<void> {
  for (const id of ids) await context.blobs.delete(id).catch(() => undefined);
}

/** Deletes uploads; a later sweep deletes those that fail now. */
export async function dropUploads(context: JobContext, inputs: readonly StoredInput[]): Promise<void> {
  for (const { blobId, attached } of inputs)
    if (attached !== true) await context.blobs.delete(blobId).catch(() => undefined);
}

/** Digits of a file id by which its job is found. The others differ between the files of a job: each is a secret. */
const KEY_LENGTH = 16;

function newResultKey(): string {
  return newBlobId().slice(0, KEY_LENGTH);
}

function resultFileId(key: string): string {
  return `${key}${newBlobId().slice(KEY_LENGTH)}`;
}

/** Returns the `resultKey` of the job that has this result file, if it is one. */
export function resultKeyOf(fileId: string): string {
  return fileId.slice(0, KEY_LENGTH);
}

/** Result files in the store that no job record names yet. */
export interface KeptOutcome {
  readonly fields: EndFields;
  readonly blobIds: readonly string[];
  /** Files that are to be stored with the record. */
  readonly files: FileContents;
}

/**
 * Copies the output files of a run into the store and returns the fields of a succeeded job. Leaves nothing behind on
 * failure.
 */
export async function keepOutcome(
  context: JobContext,
  outcome: JobOutcome,
  patiently: <R>(work: () => Promise<R>) => Promise<R>,
): Promise<KeptOutcome> {
  const stored: StoredBlob[] = [];
  const files = new Map<string, Buffer>();
  const resultKey = newResultKey();
  let allResultFiles: readonly ResultFile[];
  try {
    // A missing output is a defect, not a problem of the store.
    for (const { path, name } of outcome.files)
      if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
        throw new DefectError('CONTRACT_BROKEN', { output: name });
    const contents = await context.attached.contents(outcome.files.map(({ path }) => path));
    allResultFiles = await mapAtOnce(outcome.files, BLOBS_AT_ONCE, async (file, index) => {
      const fileId = resultFileId(resultKey);
      const described = { fileId, fileName: file.name, contentType: file.mediaType };
      const content = contents?.[index];
      if (content !== undefined) {
        files.set(fileId, content);
        return { ...described, fileSize: content.length };
      }
      const blob = await patiently(() => context.blobs.put(file.path, fileId));
      stored.push(blob);
      return { ...described, fileSize: blob.size };
    });
  } catch (error) {
    await dropResults(
      context,
      stored.map((blob) => blob.id),
    );
    throw error;
  }
  const result = allResultFiles.length > 0 ? null : (outcome.json ?? nothingText);
  return {
    blobIds: stored.map((blob) => blob.id),
    files,
    fields: {
      ...endingFields(context),
      status: 'succeeded',
      progress: 100,
      step: null,
      result,
      allResultFiles,
      ...(allResultFiles.length > 0 ? { resultKey } : {}),
      ...(files.size > 0 ? { resultsAttached: true } : {}),
      resultKinds: outcome.files.map((file) => file.kind),
      resultTimes: outcome.files.map(({ modified }) => modified ?? null),
      metadata: outcome.metadata ?? {},
      facts: outcome.facts ?? null,
      archiveName: outcome.archiveName ?? null,
    },
  };
}
