import { dropResults, dropUploads } from './job-endings.js';
import type { JobContext } from './job-options.js';
import type { JobRecord } from './job-record.js';

/** Counts of a clean-up (contract: `admin/job/cleanup`). */
export interface CleanupReport {
  readonly removedJobs: number;
  readonly remainingJobs: number;
}

/** A younger blob that no job names may belong to an upload still being accepted, ms. */
const orphanAgeMs = 3_600_000;
const batch = 200;

/** Removes finished jobs that have expired at `nowMs` (store time), with their files. */
export async function removeExpired(context: JobContext, nowMs: number): Promise<CleanupReport> {
  let removedJobs = 0;
  for (;;) {
    const expired = await context.jobs.find({ complete: true }, { atMost: { expiresAtMs: nowMs }, limit: batch });
    for (const record of expired) if (await removeJob(context, record)) removedJobs += 1;
    if (expired.length < batch) break;
  }
  return { removedJobs, remainingJobs: await context.jobs.count() };
}

/** Removes a complete job with its files; returns true if it existed. */
export async function removeJob(context: JobContext, record: JobRecord): Promise<boolean> {
  // Delete the record first, so that nobody reads a list of files that are being deleted.
  const removed = await context.jobs.delete(record.id, { complete: true });
  const ids = record.allResultFiles.map((file) => file.fileId);
  if (record.resultsAttached !== true) await dropResults(context, ids);
  if (record.resultKey === undefined) await dropRows(context, ids);
  await dropUploads(context, record.inputs);
  return removed;
}

/** Deletes the rows of result files of earlier versions. */
async function dropRows(context: JobContext, ids: readonly string[]): Promise<void> {
  for (const id of ids) await context.files.delete(id).catch(() => undefined);
}

/**
 * Removes blobs that no job names and that are older than `before` (wall clock), and what unfinished writes left
 * behind. Returns their number.
 */
export async function sweepOrphans(
  context: JobContext,
  before: Date = new Date(Date.now() - orphanAgeMs),
): Promise<number> {
  let removed = await context.blobs.sweepUnfinished(Math.max(0, Date.now() - before.getTime()));
  const candidates: string[] = [];
  for await (const blob of context.blobs.list()) if (blob.modifiedAt < before) candidates.push(blob.id);
  if (candidates.length === 0) return removed;
  const named = new Set<string>();
  for await (const record of context.jobs.scan({}, ['allResultFiles', 'inputs'])) {
    for (const file of record.allResultFiles) named.add(file.fileId);
    for (const input of record.inputs) named.add(input.blobId);
  }
  const orphans = candidates.filter((id) => !named.has(id));
  await dropResults(context, orphans);
  await dropRows(context, orphans);
  removed += orphans.length;
  if (removed > 0) context.log.info({ removed }, 'left-over files of jobs were removed');
  return removed;
}

/**
 * Corrects expiry times after a start. Results that expired while the server was down, or because its clock was set
 * forward, are kept for one more full period; times too far ahead, from a clock that was set back, are limited to a
 * full period from now.
 */
export async function reviewExpiry(context: JobContext): Promise<void> {
  const now = context.steady.now();
  for await (const record of context.jobs.scan({ complete: true }, ['expiresAtMs', 'keptMs', 'graced'])) {
    const latest = now + Math.max(context.settings.resultExpiryMinutes * 60_000, record.keptMs ?? 0);
    const expiry = { expiresAtMs: latest, expiresAt: new Date(latest).toISOString() };
    const at = record.expiresAtMs ?? 0;
    if (at <= now && !record.graced)
      await context.jobs.update(record.id, { set: { ...expiry, graced: true } }, { complete: true });
    else if (at > latest + 60_000) await context.jobs.update(record.id, { set: expiry }, { complete: true });
  }
}
