import type { AgendaQueue } from './queue/agenda-queue.js';
import { reviewExpiry, sweepOrphans } from './job-cleanup.js';
import type { JobContext } from './job-options.js';
import type { JobRunner } from './job-runner.js';

const inOrder = { sort: [{ field: 'createdAtMs', order: 'ascending' }] } as const;

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
  for (const record of await context.jobs.find({ complete: false }, inOrder)) {
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
  const rows = await queue.rows();
  const live = new Set(rows.filter((row) => row.live).map((row) => row.jobId));
  const before = context.steady.now() - context.timing.lockLifetimeMs;
  for (const record of await context.jobs.find({ complete: false }, inOrder)) {
    if (live.has(record.id) || runner.isRunning(record.id)) continue;
    const lastSign = record.status === 'running' ? (record.heartbeatAtMs ?? 0) : record.createdAtMs;
    if (lastSign > before) continue;
    await queue.add(record.id, record.rank ?? record.createdAtMs, record.needs, record.owner);
    context.log.warn({ jobId: record.id }, 'a job that was missing in the queue was queued again');
  }
  const unfinished = new Set((await context.jobs.find({ complete: false })).map((record) => record.id));
  for (const row of rows) if (!row.live && !unfinished.has(row.jobId)) await queue.removeRow(row.rowId);
  return count;
}
