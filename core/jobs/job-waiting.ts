import { OperationalError } from '@quire/registry/errors';
import { digestOf, READS_ATTACHED, splitNeed, type Needs } from './cluster/index.js';
import type { AgendaQueue } from './queue/agenda-queue.js';
import { dropUploads, failureFields, storeEnd } from './job-endings.js';
import type { JobContext } from './job-options.js';
import type { JobRecord } from './job-record.js';

const defaultPatienceMs = 15 * 60_000;
/** Jobs are reviewed only after they have waited this long, ms. */
const afterMs = 3000;
const most = 1000;

/** Lists needs as text: `convert/file/pdf (0.2.0 or later)`. */
function inWords(needs: Needs): string {
  return needs
    .map(splitNeed)
    .map(({ path, version }) =>
      path === READS_ATTACHED.path ? 'a newer version of Quire' : `${path} (${version} or later)`,
    )
    .join(', ');
}

/** Returns the error of a job that no node can run. */
export function noNode(needs: Needs): OperationalError {
  return new OperationalError('NO_NODE', { missing: inWords(needs) });
}

/**
 * Reviews jobs that have waited for a while: one that no running node can run gets a note that says so, and fails after
 * `waitForNodeMs`; one that can run again gets its earlier notes back. Called by the node that does the maintenance.
 */
export async function reviewWaiting(
  context: JobContext,
  queue: AgendaQueue,
  unmetAnywhere: (needs: Needs) => Promise<Needs>,
): Promise<void> {
  const now = context.steady.now();
  const waiting = await context.jobs.find(
    { status: 'queued' },
    { atMost: { createdAtMs: now - afterMs }, sort: [{ field: 'createdAtMs', order: 'ascending' }], limit: most },
  );
  const asked = new Map<string, Promise<Needs>>();
  for (const record of waiting) {
    const needs = record.needs ?? [];
    if (needs.length === 0) continue;
    const kind = digestOf(needs);
    let answer = asked.get(kind);
    if (answer === undefined) asked.set(kind, (answer = unmetAnywhere(needs)));
    await reviewOne(context, queue, record, await answer, now);
  }
}

async function reviewOne(
  context: JobContext,
  queue: AgendaQueue,
  record: JobRecord,
  missing: Needs,
  now: number,
): Promise<void> {
  const since = record.strandedAtMs ?? null;
  const unchanged = { status: 'queued', complete: false } as const;
  if (missing.length === 0) {
    if (
      since === null ||
      !(await context.jobs.update(record.id, { set: { strandedAtMs: null, notes: [] } }, unchanged))
    )
      return;
  } else if (since === null) {
    const notes = [`Waiting for a node that has ${inWords(missing)}.`];
    if (!(await context.jobs.update(record.id, { set: { strandedAtMs: now, notes } }, unchanged))) return;
    context.log.warn({ jobId: record.jobId, missing }, 'a job is waiting for a node that has what it needs');
  } else {
    if (now - since < (context.settings.waitForNodeMs ?? defaultPatienceMs)) return;
    const ended = await storeEnd(context, record.id, failureFields(context, noNode(missing)), unchanged);
    if (!ended) return;
    context.onEnd(ended);
    if (record.callbackState !== undefined) context.changes.ended(record.jobId);
    await queue.remove(record.id).catch(() => undefined);
    await dropUploads(context, record.inputs);
  }
  context.changes.notify(record.jobId);
}
