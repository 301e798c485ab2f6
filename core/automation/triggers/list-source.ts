import { mapAtOnce } from '../../semaphore/index.js';
import type { Automation } from '../automations/model.js';
import type { FoundFile, OpenSource } from '../connectors/model.js';
import { itemIdOf, type ItemRecord, type ItemTrigger } from '../items/item-record.js';
import type { EngineDeps } from '../runs/engine-deps.js';
import { isDoneElsewhere } from '../runs/done-elsewhere.js';
import { passesFilters } from './file-filters.js';

export interface Listing {
  /** Files that pass the filters. */
  readonly listed: number;
  readonly delivered: number;
  readonly parked: number;
  readonly inFlight: number;
  /** Ids of the items that were taken. */
  readonly taken: readonly string[];
  /** When the first file that is too new can be taken, in milliseconds since 1970; undefined when there is none. */
  readonly settlesAt: number | undefined;
}

export interface ListOptions {
  readonly automation: Automation;
  readonly sourceId: string;
  readonly source: OpenSource;
  /** Undefined: nothing new is taken; the listing only marks what has left. */
  readonly trigger: ItemTrigger | undefined;
}

/** Files that are recorded at once: the store writes them together. */
const AT_ONCE = 50;
/** Listings that take less need no pause. */
const BRIEF_MS = 50;
/** The pause after a listing, as a multiple of its time, and its longest. */
const REST = 4;
const LONGEST_REST_MS = 60_000;

/** Returns how long a source rests after a listing, ms, so that looking at many files does not displace the work. */
export function restAfter(tookMs: number): number {
  return tookMs <= BRIEF_MS ? 0 : Math.min(REST * tookMs, LONGEST_REST_MS);
}

type Deps = Pick<EngineDeps, 'items' | 'automations' | 'sources' | 'clock'>;

/** Lists a source, records what is new as waiting, and marks what has left it. Rejects when the listing fails. */
export async function listSource(deps: Deps, { automation, sourceId, source, trigger }: ListOptions): Promise<Listing> {
  const { items, clock, sources } = deps;
  const { id: automationId, content } = automation;
  const begun = clock.now().getTime();
  const known = new Map((await items.find({ automationId, sourceId, gone: false })).map((item) => [item.id, item]));
  const counts = { listed: 0, delivered: 0, parked: 0, inFlight: 0 };
  const taken: string[] = [];
  let settlesAt: number | undefined;
  const unfinished: { readonly item: ItemRecord; readonly file: FoundFile }[] = [];
  const look = async (file: FoundFile): Promise<void> => {
    counts.listed += 1;
    const id = itemIdOf(automationId, sourceId, file.key);
    const item = known.get(id);
    known.delete(id);
    const now = clock.now().getTime();
    const isNew = item === undefined || item.version !== file.version;
    if (isNew && trigger === undefined) return;
    const readyAt = file.changedAt + content.quietMs;
    // A time that lies ahead comes from another clock and says nothing.
    if (isNew && readyAt > now && file.changedAt <= now) {
      settlesAt = Math.min(settlesAt ?? Infinity, readyAt);
      return;
    }
    const found = await items.found(item, file, { automationId, sourceId, trigger: trigger ?? 'manual', begun, now });
    if (found === 'taken') taken.push(id);
    else counts[found] += 1;
    if (found === 'delivered' && item?.finished === false) unfinished.push({ item, file });
  };
  let several: FoundFile[] = [];
  const lookAtAll = async (): Promise<void> => {
    const files = several;
    several = [];
    await mapAtOnce(files, files.length, look);
    for (const { item, file } of unfinished.splice(0)) {
      if (!(await isDoneElsewhere(deps, item))) continue;
      await source.finish(file);
      await items.changeWhen(item.id, { state: 'delivered', version: item.version }, { finished: true });
    }
  };
  try {
    for await (const file of source.list()) {
      if (!passesFilters(content.filters, file)) continue;
      several.push(file);
      if (several.length === AT_ONCE) await lookAtAll();
    }
  } finally {
    await lookAtAll();
  }
  await mapAtOnce([...known.values()], AT_ONCE, (item) => markGone(deps, item));
  await sources.count(sourceId, taken.length, clock.now().getTime());
  return { ...counts, taken, settlesAt };
}

/** What waits or is parked is forgotten: nothing is left to be processed. The history keeps what was delivered. */
async function markGone({ items }: Deps, item: ItemRecord): Promise<void> {
  if (item.state === 'delivered')
    await items.changeWhen(item.id, { state: 'delivered', version: item.version }, { gone: true });
  else if (item.state === 'waiting' || item.state === 'parked') await items.forget(item);
}
