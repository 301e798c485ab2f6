import { dropResults, dropUploads } from './job-endings.js';
import type { JobRoom } from './job-options.js';
import type { JobRecord } from './job-record.js';

/** What a cleanup did (contract: `admin/job/cleanup`). */
export interface CleanupReport {
  readonly removedJobs: number;
  readonly remainingJobs: number;
}

/** A blob that no job names may belong to an upload that is just being taken in; after this time it cannot, ms. */
const orphanAgeMs = 3_600_000;
const batch = 200;

/** Removes finished jobs whose time is over at `nowMs` (store time), with their files. */
export async function removeExpired(room: JobRoom, nowMs: number): Promise<CleanupReport> {
  let removedJobs = 0;
  for (;;) {
    const expired = await room.jobs.find({ complete: true }, { atMost: { expiresAtMs: nowMs }, limit: batch });
    for (const record of expired) if (await removeJob(room, record)) removedJobs += 1;
    if (expired.length < batch) break;
  }
  return { removedJobs, remainingJobs: await room.jobs.count() };
}

/** Removes a complete job with its files; true when it was there. */
export async function removeJob(room: JobRoom, record: JobRecord): Promise<boolean> {
  // The record first: nobody is to read a list of files that are going.
  const removed = await room.jobs.delete(record.id, { complete: true });
  await dropResults(
    room,
    record.allResultFiles.map((file) => file.fileId),
  );
  await dropUploads(room, record.inputs);
  return removed;
}

/**
 * Removes blobs that no job names and that were there before `before` (wall clock); also what unfinished writes left
 * behind. Gives the number.
 */
export async function sweepOrphans(room: JobRoom, before: Date = new Date(Date.now() - orphanAgeMs)): Promise<number> {
  let removed = await room.blobs.sweepUnfinished(Math.max(0, Date.now() - before.getTime()));
  const candidates: string[] = [];
  for await (const blob of room.blobs.list()) if (blob.modifiedAt < before) candidates.push(blob.id);
  if (candidates.length === 0) return removed;
  const named = new Set<string>();
  for (const record of await room.jobs.find()) {
    for (const file of record.allResultFiles) named.add(file.fileId);
    for (const input of record.inputs) named.add(input.blobId);
  }
  const orphans = candidates.filter((id) => !named.has(id));
  await dropResults(room, orphans);
  removed += orphans.length;
  if (removed > 0) room.log.info({ removed }, 'left-over files of jobs were removed');
  return removed;
}

/**
 * Looks at expiry times after a start. Results whose time ran out while the server was down, or because its clock was
 * set forward, get one more full time; times too far ahead, from a clock set back, come to a full time from now.
 */
export async function reviewExpiry(room: JobRoom): Promise<void> {
  const now = room.steady.now();
  const latest = now + room.settings.resultExpiryMinutes * 60_000;
  const expiry = { expiresAtMs: latest, expiresAt: new Date(latest).toISOString() };
  for (const record of await room.jobs.find({ complete: true })) {
    const at = record.expiresAtMs ?? 0;
    if (at <= now && !record.graced)
      await room.jobs.update(record.id, { set: { ...expiry, graced: true } }, { complete: true });
    else if (at > latest + 60_000) await room.jobs.update(record.id, { set: expiry }, { complete: true });
  }
}
