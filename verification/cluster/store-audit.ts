import { sweepOrphans } from '../../core/jobs/job-cleanup.js';
import type { JobFileRecord, JobRecord } from '../../core/jobs/job-record.js';
import type { JobContext } from '../../core/jobs/job-options.js';
import { openStore } from '../../core/store/index.js';

/** What lies in the store after a run. */
export interface Audit {
  readonly jobs: number;
  /** Jobs in the store that no client knows: their submission's answer was lost. */
  readonly unknown: number;
  readonly unfinished: number;
  readonly named: number;
  /** Files that a record names and that are not there. */
  readonly missing: number;
  /**
   * Files that no record names: what dead nodes left. The sweep takes them after an hour; before and after one is made
   * now.
   */
  readonly orphansBefore: number;
  readonly orphansAfter: number;
  /** Pieces of files without a file, after the sweep. */
  readonly pieces: number;
  /** Rows that say whose a file is, without a job that has it. */
  readonly strayRows: number;
  /** Rows of the queue that are left. */
  readonly queueRows: number;
}

/**
 * Counts what is in the store, and makes the sweep that the server makes, as if an hour had passed. Nothing may be
 * running.
 */
export async function auditStore(url: string, database: string, known: ReadonlySet<string>): Promise<Audit> {
  // A store without GridFS's index takes minutes for the sweep.
  const store = await openStore({ kind: 'mongodb', url: `${url}?socketTimeoutMS=1800000`, database });
  try {
    const jobs = store.records<JobRecord>('jobs', { keys: ['complete', 'status', 'createdAtMs', 'expiresAtMs'] });
    const files = store.records<JobFileRecord>('job_files', { keys: ['jobId'] });
    const blobs = store.blobs.area('jobs');
    const records = await jobs.find();
    const named = new Set(
      records.flatMap((record) => [
        ...record.allResultFiles.map(({ fileId }) => fileId),
        ...record.inputs.map(({ blobId }) => blobId),
      ]),
    );
    const present = async (): Promise<Set<string>> => {
      const ids = new Set<string>();
      for await (const { id } of blobs.list()) ids.add(id);
      return ids;
    };
    const orphans = (ids: ReadonlySet<string>): number => [...ids].filter((id) => !named.has(id)).length;
    const before = await present();
    const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const context: Pick<JobContext, 'jobs' | 'files' | 'blobs' | 'log'> = { jobs, files, blobs, log: quiet };
    await sweepOrphans(context as JobContext, new Date());
    const after = await present();
    const db = store.mongo?.database;
    const pieces =
      (await db?.collection('blobs_jobs.chunks').distinct('files_id'))?.filter((id) => !after.has(String(id))).length ??
      0;
    const rows = await files.find();
    return {
      jobs: records.length,
      unknown: records.filter(({ id }) => !known.has(id)).length,
      unfinished: records.filter(({ complete }) => !complete).length,
      named: named.size,
      missing: [...named].filter((id) => !after.has(id)).length,
      orphansBefore: orphans(before),
      orphansAfter: orphans(after),
      pieces,
      strayRows: rows.filter(({ id }) => !named.has(id)).length,
      queueRows: (await db?.collection('agenda_jobs').countDocuments()) ?? 0,
    };
  } finally {
    await store.close();
  }
}
