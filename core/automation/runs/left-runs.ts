import { runIdOf, type ItemRecord } from '../items/item-record.js';
import type { EngineDeps } from './engine-deps.js';
import type { RunRecord } from './run-records.js';

/** How long a run may last whose file nobody knows: that of an upload is recorded first. */
const UNKNOWN_MS = 3_600_000;
const MOST_AT_ONCE = 1000;

/**
 * Ends runs whose file has ended: the process died between the two writes. Not those whose file has ended within
 * `graceMs`, which another node may be ending now.
 */
export async function endLeftRuns(
  { runs, items, clock }: Pick<EngineDeps, 'runs' | 'items' | 'clock'>,
  graceMs: number,
): Promise<void> {
  const now = clock.now().getTime();
  for (const run of await runs.list({ state: 'running' }, MOST_AT_ONCE)) {
    const item = await items.get(run.itemId);
    const endedAt = item === undefined ? run.startedAt + UNKNOWN_MS : item.since + graceMs;
    if (endedAt > now || (item !== undefined && isAtWork(item, run))) continue;
    await runs.endLeft(run.id, endOfRun(item, run), now);
  }
}

function isAtWork(item: ItemRecord, { id }: RunRecord): boolean {
  return (item.state === 'running' || item.state === 'delivering') && runIdOf(item) === id;
}

/** Of another run than the last one of its file, nothing is known but that it did not go on. */
function endOfRun(item: ItemRecord | undefined, { id }: RunRecord): Pick<RunRecord, 'state' | 'code' | 'detail'> {
  const own = item !== undefined && runIdOf(item) === id ? item : undefined;
  if (own?.state === 'delivered') return { state: 'completed', code: null, detail: null };
  const { code = 'RESULT_GONE', detail = null } = own?.reason ?? {};
  return { state: code === 'CANCELLED' ? 'cancelled' : 'failed', code, detail };
}
