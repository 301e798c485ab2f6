import { sweepOrphans } from '../../core/jobs/job-cleanup.js';
import type { JobFileRecord, JobRecord } from '../../core/jobs/job-record.js';
import type { JobContext } from '../../core/jobs/job-options.js';
import { openStore, type Records } from '../../core/store/index.js';

/** Contents of the store after a run. */
export interface Audit {
  readonly jobs: number;
  /** Jobs in the store that no client knows, because the answer to their submission was lost. */
  readonly unknown: number;
  readonly unfinished: number;
  readonly named: number;
  /** Files that a record names but that do not exist. */
  readonly missing: number;
  /**
   * Files that no record names, left by dead nodes. The sweep deletes them after an hour; counted before and after a
   * sweep that runs now.
   */
  readonly orphansBefore: number;
  readonly orphansAfter: number;
  /** Chunks without a file, after the sweep. */
  readonly pieces: number;
  /** Rows that name the owner of a file, without a job that has this file. */
  readonly strayRows: number;
  /** Rows left in the queue. */
  readonly queueRows: number;
}

/**
 * Counts the contents of the store and runs the server's sweep as if an hour had passed. Nothing else may be running.
 */
export async function auditStore(url: string, database: string, known: ReadonlySet<string>): Promise<Audit> {
  // The sweep takes minutes in a store without GridFS's index.
  const store = await openStore({ kind: 'mongodb', url: `${url}?socketTimeoutMS=1800000`, database });
  try {
    const keys = ['complete', 'status', 'createdAtMs', 'expiresAtMs'];
    const jobs = store.records<JobRecord>('jobs', { keys, attached: true });
    const files = store.records<JobFileRecord>('job_files', { keys: ['jobId'] });
    const blobs = store.blobs.area('jobs');
    const records = await jobs.find();
    const named = new Set(records.flatMap((record) => [...resultsOf(record), ...inputsOf(record)]));
    const attached = await attachedOf(jobs, records);
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
      missing: [...named].filter((id) => !after.has(id) && !attached.has(id)).length,
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

function resultsOf({ allResultFiles }: JobRecord): string[] {
  return allResultFiles.map(({ fileId }) => fileId);
}

function inputsOf({ inputs }: JobRecord): string[] {
  return inputs.map(({ blobId }) => blobId);
}

/** Ids of the files that are with the records that name them. */
async function attachedOf(jobs: Records<JobRecord>, records: readonly JobRecord[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { id } of records) for (const file of (await jobs.attached?.get(id))?.files.keys() ?? []) ids.add(file);
  return ids;
}
