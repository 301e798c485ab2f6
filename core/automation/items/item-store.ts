import { randomUUID } from 'node:crypto';
import type { Identified } from '@quire/registry';
import { isDuplicateRecord, type FindOptions, type Records, type Store, type Where } from '../../store/index.js';
import type { AutomationContent } from '../automations/model.js';
import type { FoundFile } from '../connectors/model.js';
import {
  itemIdOf,
  UPLOADED,
  type ItemReason,
  type ItemRecord,
  type ItemState,
  type ItemTrigger,
} from './item-record.js';

/** The file of an automation that has this content. */
interface ContentRecord extends Identified {
  readonly automationId: string;
  readonly itemId: string;
  readonly delivered: boolean;
}

/** A file that an automation of this server has written. */
interface OutputRecord extends Identified {
  /** Ids of the automations that led to it, joined with blanks; the last one wrote it. */
  readonly lineage: string;
  readonly atMs: number;
}

/** What a listing found out about a file. */
export type Found = 'taken' | 'delivered' | 'parked' | 'inFlight';

export type ItemChange = Partial<Omit<ItemRecord, 'id'>>;

/** An item whose next work starts from the beginning. */
export const noJob = { jobId: null, runId: null, part: null, hasResult: false } as const;
const begun = {
  attempts: 0,
  failures: 0,
  reason: null,
  ...noJob,
  alone: false,
  claim: '',
  deliveries: [],
  sha256: null,
} as const;
const READ_AT_ONCE = 500;
const DAY_MS = 86_400_000;
/** How long delivered files are shown that have left their source. */
const HISTORY_MS = 90 * DAY_MS;
/** More than the longest pause before another attempt, which is an hour and a fifth of it. */
export const BEYOND_MS = 5_400_000;
/** How long outputs are remembered to find loops; loops turn faster. */
const OUTPUT_MS = 3_600_000;

/**
 * The files of automations and their states. Every transition is a conditional update, so two nodes never make the same
 * one.
 */
export class ItemStore {
  readonly #items: Records<ItemRecord>;
  readonly #contents: Records<ContentRecord>;
  readonly #outputs: Records<OutputRecord>;

  constructor(store: Pick<Store, 'records'>) {
    this.#items = store.records<ItemRecord>('automation_items', {
      // Lists of automations count the files of each by state.
      keys: [['automationId', 'state', 'nextAt'], 'state', 'since', 'sourceId'],
    });
    this.#contents = store.records<ContentRecord>('automation_contents', { keys: ['automationId'] });
    this.#outputs = store.records<OutputRecord>('automation_outputs', { keys: ['atMs'] });
  }

  get(id: string): Promise<ItemRecord | undefined> {
    return this.#items.get(id);
  }

  find(where: Where<ItemRecord>, options?: FindOptions<ItemRecord>): Promise<ItemRecord[]> {
    return this.#items.find(where, options);
  }

  count(where: Where<ItemRecord>): Promise<number> {
    return this.#items.count(where);
  }

  /** Records a file of a source as waiting, unless this version is known. */
  async found(
    known: ItemRecord | undefined,
    file: FoundFile,
    at: {
      readonly automationId: string;
      readonly sourceId: string;
      readonly trigger: ItemTrigger;
      /** When the listing began that shows it. */
      readonly begun: number;
      readonly now: number;
    },
  ): Promise<Found> {
    const { automationId, sourceId, trigger, begun: listedSince, now } = at;
    const fresh = {
      ...begun,
      name: file.name,
      size: file.size,
      version: file.version,
      changedAt: file.changedAt,
      foundAt: now,
      state: 'waiting',
      since: now,
      nextAt: now,
      finished: false,
      gone: false,
      byHand: false,
      lineage: '',
      trigger,
    } as const;
    if (known === undefined) {
      const id = itemIdOf(automationId, sourceId, file.key);
      try {
        await this.#items.insert({ id, automationId, sourceId, key: file.key, ...fresh });
        return 'taken';
      } catch (error) {
        if (!isDuplicateRecord(error)) throw error;
        // It has been in the source before.
        const before = await this.#items.get(id);
        return before === undefined ? 'inFlight' : this.found(before, file, at);
      }
    }
    const { state, version, claim } = known;
    if (state === 'running' || state === 'delivering') return 'inFlight';
    // A listing that began before the end of the work on a file may still show it.
    const stayed = !known.gone || known.since > listedSince;
    const same = version === file.version && (stayed || file.lasting === true);
    if (same && known.gone && !stayed) await this.changeWhen(known.id, { state, version }, { gone: false });
    if (same) return state === 'waiting' ? 'inFlight' : state;
    const changed = await this.#items.update(known.id, { set: fresh }, { state, version, claim });
    return changed === undefined ? 'inFlight' : 'taken';
  }

  /** A file that was uploaded, whose job has been started. */
  async uploaded(
    item: Pick<ItemRecord, 'automationId' | 'key' | 'name' | 'size' | 'jobId' | 'attempts' | 'foundAt'>,
  ): Promise<void> {
    const { foundAt, automationId, key } = item;
    await this.#items.insert({
      ...begun,
      id: itemIdOf(automationId, UPLOADED, key),
      sourceId: UPLOADED,
      version: '',
      changedAt: foundAt,
      state: 'running',
      since: foundAt,
      nextAt: foundAt,
      finished: false,
      gone: false,
      byHand: false,
      lineage: '',
      trigger: 'upload',
      ...item,
    });
  }

  /** Files that can be worked on now: those that wait, and deliveries that are tried again. */
  async due(
    automationId: string,
    order: AutomationContent['order'],
    now: number,
    limit: number,
  ): Promise<readonly ItemRecord[]> {
    const field = order === 'name' ? 'name' : 'changedAt';
    const sort = [
      { field, order: 'ascending' },
      { field: 'id', order: 'ascending' },
    ] as const;
    const options = { sort, limit, atMost: { nextAt: now } };
    const delivering = await this.#items.find({ automationId, state: 'delivering', claim: '' }, options);
    if (delivering.length >= limit) return delivering;
    const waiting = await this.#items.find({ automationId, state: 'waiting' }, options);
    return [...delivering, ...waiting].slice(0, limit);
  }

  /** When the next file can be worked on; undefined when none waits. */
  async nextAt(automationId: string): Promise<number | undefined> {
    const sort = [{ field: 'nextAt', order: 'ascending' }] as const;
    const [waiting] = await this.#items.find({ automationId, state: 'waiting' }, { sort, limit: 1 });
    const [delivering] = await this.#items.find({ automationId, state: 'delivering', claim: '' }, { sort, limit: 1 });
    const times = [waiting, delivering].flatMap((item) => (item === undefined ? [] : [item.nextAt]));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Lets files be worked on now that wait for a time which no pause reaches: it was set by a clock that ran ahead. */
  async dueAfterAll(automationId: string, now: number): Promise<void> {
    for (const state of ['waiting', 'delivering'] as const) {
      const found = await this.#items.find({ automationId, state, claim: '' });
      for (const { id, nextAt } of found)
        if (nextAt > now + BEYOND_MS) await this.#items.update(id, { set: { nextAt: now } }, { state, nextAt });
    }
  }

  /** Files that work has begun on; those of dead nodes among them are taken over. */
  async begun(automationId: string): Promise<readonly ItemRecord[]> {
    const running = await this.#items.find({ automationId, state: 'running' });
    const delivering = await this.#items.find({ automationId, state: 'delivering' });
    return [...running, ...delivering.filter(({ claim }) => claim !== '')];
  }

  /** Lets files wait again that were claimed and have no place in a job yet, so that they may share one. */
  async putBack(items: readonly ItemRecord[], now: number): Promise<void> {
    const set: ItemChange = { state: 'waiting', since: now, claim: '' };
    // At once: the store writes them together.
    await Promise.all(
      items.map(({ id, claim }) => this.#items.update(id, { set }, { state: 'running', jobId: null, claim })),
    );
  }

  /** Those of these automations whose files are not at their end. */
  async busy(automationIds: readonly string[]): Promise<ReadonlySet<string>> {
    const begun = [
      ...(await this.#items.find({ state: 'running' })),
      ...(await this.#items.find({ state: 'delivering' })),
    ];
    const ids = new Set(begun.map(({ automationId }) => automationId));
    const waiting = await this.#items.find({ state: 'waiting' }, { limit: READ_AT_ONCE });
    for (const { automationId } of waiting) ids.add(automationId);
    if (waiting.length < READ_AT_ONCE) return ids;
    // Many files of one automation must not hide those of others.
    for (const automationId of automationIds)
      if (!ids.has(automationId) && (await this.#items.findOne({ automationId, state: 'waiting' })) !== undefined)
        ids.add(automationId);
    return ids;
  }

  /** Whether a file still needs the results of this job. */
  async needsJob(automationId: string, jobId: string): Promise<boolean> {
    for (const state of ['running', 'delivering'] as const)
      if ((await this.#items.findOne({ automationId, state, jobId })) !== undefined) return true;
    return (await this.#items.findOne({ automationId, state: 'parked', jobId, hasResult: true })) !== undefined;
  }

  /** Claims a file for work; undefined when it has changed since it was read. */
  async claim(item: ItemRecord, now: number): Promise<ItemRecord | undefined> {
    const { id, state, version, claim, foundAt } = item;
    const starts = state === 'waiting';
    const set: ItemChange = {
      claim: randomUUID(),
      ...(starts ? { ...noJob, state: 'running', since: now, attempts: item.attempts + 1 } : {}),
    };
    return this.#items.update(id, { set }, { state, version, claim, foundAt });
  }

  /** Changes a claimed file; undefined when the claim was lost. */
  change({ id, claim }: ItemRecord, set: ItemChange): Promise<ItemRecord | undefined> {
    return this.#items.update(id, { set }, { claim });
  }

  /** Changes a file while it has this state. */
  changeWhen(id: string, when: Where<ItemRecord>, set: ItemChange): Promise<ItemRecord | undefined> {
    return this.#items.update(id, { set }, when);
  }

  /** Forgets a file while nothing works on it. */
  forget({ id, state, claim }: ItemRecord): Promise<boolean> {
    return this.#items.delete(id, { state, claim });
  }

  /**
   * Puts a parked file back to work: to its deliveries where it had come so far, else to its start. Undefined when it
   * is not parked.
   */
  async retry(item: ItemRecord, now: number): Promise<ItemRecord | undefined> {
    const { id, hasResult } = item;
    const set: ItemChange = {
      state: hasResult ? 'delivering' : 'waiting',
      since: now,
      nextAt: now,
      failures: 0,
      reason: null,
      claim: '',
      byHand: true,
    };
    return this.#items.update(id, { set }, { state: 'parked' });
  }

  /**
   * Reserves the content for this file: `busy` while another file with the same bytes is worked on, `delivered` when
   * its results were delivered once.
   */
  async reserve(item: ItemRecord, sha256: string): Promise<'own' | 'busy' | 'delivered'> {
    const id = contentIdOf(item.automationId, sha256);
    const record = { id, automationId: item.automationId, itemId: item.id, delivered: false };
    try {
      await this.#contents.insert(record);
      return 'own';
    } catch (error) {
      if (!isDuplicateRecord(error)) throw error;
    }
    const holder = await this.#contents.get(id);
    if (holder === undefined) return 'busy';
    if (holder.delivered) return 'delivered';
    if (holder.itemId === item.id) return 'own';
    const other = await this.#items.get(holder.itemId);
    if (other !== undefined && other.state !== 'parked' && other.sha256 === sha256) return 'busy';
    const when = { itemId: holder.itemId, delivered: false };
    return (await this.#contents.update(id, { set: { itemId: item.id } }, when)) === undefined ? 'busy' : 'own';
  }

  /** The results of this content are delivered. */
  async keepContent({ automationId, sha256 }: ItemRecord): Promise<void> {
    if (sha256 !== null) await this.#contents.update(contentIdOf(automationId, sha256), { set: { delivered: true } });
  }

  /** Remembers what an automation writes, before it is written. */
  async wrote(sha256: string, lineage: string, now: number): Promise<void> {
    await this.#outputs.put({ id: sha256, lineage, atMs: now });
  }

  /** The automations that led to this content within the last hour. */
  async lineageOf(sha256: string, now: number): Promise<readonly string[]> {
    const found = await this.#outputs.get(sha256);
    return found === undefined || found.atMs < now - OUTPUT_MS ? [] : found.lineage.split(' ');
  }

  /** Forgets the history: files that are worked on stay. Returns how many were forgotten. */
  async reset(automationId: string): Promise<number> {
    let count = 0;
    for (const state of ['delivered', 'parked', 'waiting'] as const satisfies readonly ItemState[])
      count += await this.#items.deleteMany({ automationId, state });
    await this.#contents.deleteMany({ automationId });
    return count;
  }

  /** Removes everything of an automation that is deleted. */
  async removeAll(automationId: string): Promise<void> {
    await this.#items.deleteMany({ automationId });
    await this.#contents.deleteMany({ automationId });
  }

  /** Removes what is too old to be shown. */
  async sweep(now: number): Promise<void> {
    const atMost = { since: now - HISTORY_MS };
    await this.#items.deleteMany({ state: 'delivered', gone: true }, { atMost });
    await this.#items.deleteMany({ state: 'delivered', sourceId: UPLOADED }, { atMost });
    await this.#outputs.deleteMany({}, { atMost: { atMs: now - OUTPUT_MS } });
  }
}

function contentIdOf(automationId: string, sha256: string): string {
  return `${automationId}:${sha256}`;
}

/** A reason as it is stored. */
export function reasonOf(code: string, detail: string): ItemReason {
  return { code, detail: detail.slice(0, 1000) };
}
