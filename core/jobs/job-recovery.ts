import type { AgendaQueue } from './queue/agenda-queue.js';
import type { WaitingRow } from './queue/queue-backend.js';
import { reviewExpiry, sweepOrphans } from './job-cleanup.js';
import type { JobContext } from './job-options.js';
import type { JobRecord } from './job-record.js';
import type { JobRunner } from './job-runner.js';

/** What is needed to queue a job again. */
type Waiting = Pick<JobRecord, 'id' | 'status' | 'rank' | 'createdAtMs' | 'heartbeatAtMs' | 'needs' | 'owner'>;

/** Unfinished jobs in the order of their arrival; there can be a hundred thousand. */
async function unfinishedJobs({ jobs }: JobContext): Promise<readonly Waiting[]> {
  const found: Waiting[] = [];
  const fields = ['status', 'rank', 'createdAtMs', 'heartbeatAtMs', 'needs', 'owner'] as const;
  for await (const job of jobs.scan({ complete: false }, fields)) found.push(job);
  return found.sort((a, b) => a.createdAtMs - b.createdAtMs);
}

/**
 * Repairs an embedded store after a start. Only one process uses it, so every running job belongs to a dead process:
 * all unfinished jobs are queued again at once, in order. Files newer than `startedAt` are not swept: they may be
 * uploads accepted since.
 */
export async function recoverOwned(context: JobContext, queue: AgendaQueue, startedAt: Date): Promise<void> {
  // Rows without an unfinished job do nothing, and emptying the queue would load Agenda.
  if ((await context.jobs.count({ complete: false })) > 0) await queue.purge();
  await reviewExpiry(context);
  let again = 0;
  for (const record of await unfinishedJobs(context)) {
    if (record.status === 'running') {
      again += 1;
      await context.jobs.update(
        record.id,
        { set: { status: 'queued', claimId: null, place: null, heartbeatAtMs: null, progress: 0, step: null } },
        { complete: false },
      );
    }
    await queue.add(record.id, record.rank ?? record.createdAtMs, record.needs, record.owner);
  }
  if (again > 0) context.log.warn({ jobs: again }, 'unfinished jobs of the previous process are queued again');
  if (!context.blobsApart) await sweepOrphans(context, startedAt);
  else
    // By the clock of another service "newer than the start" means nothing, so they are swept by their age.
    await sweepOrphans(context).catch((error: unknown) =>
      context.log.warn({ error: String(error) }, 'left-over files of jobs are looked for at the next removal'),
    );
}

/**
 * Repairs the queue of a store that servers share: queues unfinished jobs again whose server died or whose queue row
 * was lost. Runs now and then; needs a single query while nothing is unfinished. Two servers may do it at once, because
 * only one can claim a job. Returns the number of unfinished jobs.
 */
export async function recoverShared(context: JobContext, queue: AgendaQueue, runner: JobRunner): Promise<number> {
  const count = await context.jobs.count({ complete: false });
  if (count === 0) return 0;
  const live = new Set<string>();
  const dead: WaitingRow[] = [];
  for await (const row of queue.rows())
    if (row.live) live.add(row.jobId);
    else dead.push(row);
  // Read after the rows: a job that was added or has ended meanwhile is not mistaken for a lost one.
  const unfinished = await unfinishedJobs(context);
  const before = context.steady.now() - context.timing.lockLifetimeMs;
  for (const record of unfinished) {
    if (live.has(record.id) || runner.isRunning(record.id)) continue;
    const lastSign = record.status === 'running' ? (record.heartbeatAtMs ?? 0) : record.createdAtMs;
    if (lastSign > before) continue;
    await queue.add(record.id, record.rank ?? record.createdAtMs, record.needs, record.owner);
    context.log.warn({ jobId: record.id }, 'a job that was missing in the queue was queued again');
  }
  if (dead.length === 0) return count;
  const ids = new Set(unfinished.map(({ id }) => id));
  for (const row of dead) if (!ids.has(row.jobId)) await queue.removeRow(row.rowId);
  return count;
}
