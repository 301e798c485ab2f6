import type { AgendaQueue } from './queue/agenda-queue.js';
import { reviewExpiry, sweepOrphans } from './job-cleanup.js';
import type { JobContext } from './job-options.js';
import type { JobRunner } from './job-runner.js';

const inOrder = { sort: [{ field: 'createdAtMs', order: 'ascending' }] } as const;

/**
 * Puts an embedded store right after a start. One process owns the store, so every job that was running belongs to a
 * dead process: all unfinished jobs are queued again at once, in their order. `startedAt` keeps uploads taken in
 * meanwhile out of the sweep.
 */
export async function recoverOwned(context: JobContext, queue: AgendaQueue, startedAt: Date): Promise<void> {
  await queue.purge();
  await reviewExpiry(context);
  let again = 0;
  for (const record of await context.jobs.find({ complete: false }, inOrder)) {
    if (record.status === 'running') {
      again += 1;
      await context.jobs.update(
        record.id,
        { set: { status: 'queued', attempt: null, heartbeatAtMs: null, progress: 0, step: null } },
        { complete: false },
      );
    }
    await queue.add(record.id, record.rank ?? record.createdAtMs, record.needs);
  }
  if (again > 0) context.log.warn({ jobs: again }, 'jobs of a server that stopped are run again');
  await sweepOrphans(context, startedAt);
}

/**
 * Queues again what fell out of the queue of a store that many servers share: unfinished jobs whose server died or
 * whose queue row was lost. Runs now and then; asks one question while nothing is unfinished. Two servers doing it at
 * once is harmless: the claim decides.
 */
export async function recoverShared(context: JobContext, queue: AgendaQueue, runner: JobRunner): Promise<void> {
  if ((await context.jobs.count({ complete: false })) === 0) return;
  const rows = await queue.rows();
  const live = new Set(rows.filter((row) => row.live).map((row) => row.jobId));
  const before = context.steady.now() - context.timing.lockLifetimeMs;
  for (const record of await context.jobs.find({ complete: false }, inOrder)) {
    if (live.has(record.id) || runner.isRunning(record.id)) continue;
    const lastSign = record.status === 'running' ? (record.heartbeatAtMs ?? 0) : record.createdAtMs;
    if (lastSign > before) continue;
    await queue.add(record.id, record.rank ?? record.createdAtMs, record.needs);
    context.log.warn({ jobId: record.id }, 'a job that had fallen out of the queue was queued again');
  }
  const unfinished = new Set((await context.jobs.find({ complete: false })).map((record) => record.id));
  for (const row of rows) if (!row.live && !unfinished.has(row.jobId)) await queue.removeRow(row.rowId);
}
