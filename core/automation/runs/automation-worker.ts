import { isQuireError } from '@quire/registry';
import type { Lease } from '../../jobs/cluster/index.js';
import type { Automation } from '../automations/model.js';
import { UPLOADED, type ItemRecord } from '../items/item-record.js';
import { BEYOND_MS } from '../items/item-store.js';
import { listSource, restAfter } from '../triggers/list-source.js';
import type { EngineDeps } from './engine-deps.js';
import type { ItemWorkDeps } from './item-work-deps.js';
import { ItemWork } from './item-work.js';
import { JobGroup } from './job-group.js';
import { OpenConnectors } from './open-connectors.js';
import { PreparedWork } from './prepared-work.js';

/** How soon this node looks again at files that another one may be working on. */
const ELSEWHERE_MS = 5000;
/** Files that are read at once: one query for each file would make many files slow. */
const READ_AT_ONCE = 200;
/** Most files of one job, and the size up to which a file shares one, in bytes: one large file takes long enough. */
const MOST_TOGETHER = 12;
const SMALL_BYTES = 4 * 1024 * 1024;
/** How soon a file is looked at again that was left in the middle. */
const UNSETTLED_MS = 1000;
const STORE_RETRY_MS = 5000;
/** Longest delay of a timer; a longer one would fire at once. */
const LONGEST_TIMER_MS = 3_600_000;

/** Works on the files of one automation: as many at once as it allows, on one node at a time. */
export class AutomationWorker {
  readonly #stop = new AbortController();
  /** Files that are worked on, by id, with their group. */
  readonly #active = new Map<string, JobGroup>();
  readonly #groups = new Map<JobGroup, Promise<void>>();
  /** Groups that have a place, and whose job has not ended. */
  readonly #running = new Set<JobGroup>();
  /** Groups that are made ready while others have all places; they get the next ones. */
  readonly #ahead: JobGroup[] = [];
  #draining: Promise<void> | undefined;
  #again = false;
  /** Files that can be worked on, in their order; read many at a time. */
  #queue: ItemRecord[] = [];
  /** Whether files may be there that another process had begun, or that were uploaded. */
  #left = true;
  /** Whether a file was left in the middle, although nothing stopped the work. */
  #unsettled = false;
  /** Whether a place has become free since places were counted: nobody else would say so any more. */
  #freed = false;
  /** Sources to list again because files of theirs have ended, and when that may be, by `performance.now`. */
  readonly #changed = new Set<string>();
  #marksFrom = 0;
  #wakeUp: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #prepared: PreparedWork | undefined;

  constructor(
    private readonly deps: EngineDeps,
    private readonly id: string,
  ) {}

  /** True while files are worked on or a timer waits for them. */
  get busy(): boolean {
    return this.#draining !== undefined || this.#timer !== undefined;
  }

  /** Looks for work soon. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = true;
    this.#left = true;
    this.#wakeUp?.();
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Resolves when all files that can be worked on now have been. */
  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
  }

  /** Stops. Files that are worked on stay as they are, for the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = false;
    this.#wakeUp?.();
    await this.#draining;
  }

  async #drain(): Promise<void> {
    const { deps, id } = this;
    this.#again = false;
    try {
      const lease = await deps.leases?.take(`automation ${id}`, deps.timing.leaseMs);
      if (deps.leases !== undefined && lease === undefined) {
        if ((await deps.items.nextAt(id)) !== undefined) this.#later(ELSEWHERE_MS);
        return;
      }
      const held = new HeldAutomation(lease, deps.timing.leaseMs, this.#stop.signal);
      try {
        await this.#work(held.signal);
      } finally {
        await held.release();
      }
      const next = this.#stop.signal.aborted ? undefined : await this.#nextAt();
      if (next !== undefined) this.#later(Math.max(0, next - deps.clock.now().getTime()));
    } catch (error) {
      deps.log.warn({ err: error, automation: id }, 'an automation could not be worked on; it is tried again');
      this.#later(STORE_RETRY_MS);
    }
  }

  async #nextAt(): Promise<number | undefined> {
    const { items, clock } = this.deps;
    const now = clock.now().getTime();
    let next = await items.nextAt(this.id);
    if (next !== undefined && next > now + BEYOND_MS) {
      await items.dueAfterAll(this.id, now);
      next = now;
    }
    const times = next === undefined ? [] : [next];
    if (this.#unsettled) times.push(now + UNSETTLED_MS);
    if (this.#changed.size > 0) times.push(now + Math.max(0, this.#marksFrom - performance.now()) + 1);
    this.#unsettled = false;
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #later(ms: number): void {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.wake();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    ).unref();
  }

  async #work(signal: AbortSignal): Promise<void> {
    const connectors = new OpenConnectors(this.deps, signal);
    this.#left = true;
    this.#queue = [];
    try {
      for (;;) {
        const automation = (await this.deps.automations.current()).find(({ id }) => id === this.id);
        if (automation === undefined) this.#changed.clear();
        if (automation === undefined || signal.aborted) break;
        this.#again = false;
        this.#freed = false;
        const begun = await this.#begin(automation, connectors, signal);
        if (begun === 0 && this.#groups.size === 0) {
          if (this.#changed.size === 0 || performance.now() < this.#marksFrom) break;
          await this.#mark(automation, connectors);
          continue;
        }
        // With free places, new files are begun as soon as they are found.
        const woken = new Promise<void>((resolve) => (this.#wakeUp = resolve));
        if (!this.#again && !this.#freed) await woken;
        this.#wakeUp = undefined;
      }
    } finally {
      for (const group of this.#ahead.splice(0)) this.#admit(group);
      await Promise.all(this.#groups.values());
      await connectors.close();
    }
  }

  /** Begins work on files while there are places; returns how many places it took. */
  async #begin(automation: Automation, connectors: OpenConnectors, signal: AbortSignal): Promise<number> {
    const { deps, id } = this;
    const { concurrency, order } = automation.content;
    const now = deps.clock.now().getTime();
    const listAgain = (sourceId: string): void => void this.#changed.add(sourceId);
    const prepared = (this.#prepared ??= new PreparedWork(deps));
    const work = { ...deps, automation, connectors, prepared, signal, listAgain };
    let begun = 0;
    for (;;) {
      while (this.#ahead.length > 0 && this.#hasPlace(concurrency)) this.#admit(this.#ahead.shift());
      const ahead = !this.#hasPlace(concurrency);
      if (ahead && this.#ahead.length >= mostAhead(concurrency)) break;
      if (this.#left || this.#queue.length === 0) await this.#fill(order, now);
      const most = await this.#mostTogether(work);
      if (ahead && most === 1) break;
      const items = await this.#claim(most, now);
      if (items.length === 0) break;
      begun += 1;
      const group = this.#start(work, items);
      if (ahead) this.#ahead.push(group);
      else this.#admit(group);
      deps.touched(id);
    }
    return begun;
  }

  #admit(group: JobGroup | undefined): void {
    if (group === undefined) return;
    this.#running.add(group);
    group.admit();
  }

  /** While results are delivered, the next files may be run: unless only one is worked on at a time. */
  #hasPlace(concurrency: number): boolean {
    const begun = this.#groups.size - this.#ahead.length;
    if (concurrency === 1) return begun === 0;
    return this.#running.size < concurrency && begun < 2 * concurrency;
  }

  /** How many of the waiting files may share a job, so that every place gets its part of them. */
  async #mostTogether(work: ItemWorkDeps): Promise<number> {
    const { concurrency, destinations } = work.automation.content;
    // Results that nobody takes away stay with the job of their run.
    if (concurrency === 1 || destinations.length === 0 || this.#queue.length <= concurrency) return 1;
    if (!(await work.prepared.mayShareJob(work.automation))) return 1;
    return Math.min(MOST_TOGETHER, Math.ceil(this.#queue.length / concurrency));
  }

  /** Claims the next file, and those after it that may share its job. */
  async #claim(most: number, now: number): Promise<readonly ItemRecord[]> {
    for (;;) {
      const next = this.#take(most);
      if (next.length === 0) return [];
      // At once: the store writes them together.
      const claimed = await Promise.all(next.map((item) => this.deps.items.claim(item, now)));
      const own = claimed.filter((item) => item !== undefined);
      if (own.length > 0) return own;
    }
  }

  /** Takes the next file from the queue, and those after it that may share its job. */
  #take(most: number): readonly ItemRecord[] {
    const taken: ItemRecord[] = [];
    while (taken.length < most) {
      const item = this.#queue[0];
      if (item === undefined || (taken.length > 0 && !sharesJob(item))) break;
      this.#queue.shift();
      if (this.#active.has(item.id)) continue;
      taken.push(item);
      if (!sharesJob(item)) break;
    }
    return taken;
  }

  #start(work: ItemWorkDeps, items: readonly ItemRecord[]): JobGroup {
    const group = new JobGroup(work, items.length);
    const free = (): void => {
      this.#running.delete(group);
      const at = this.#ahead.indexOf(group);
      if (at >= 0) this.#ahead.splice(at, 1);
      this.#freed = true;
      this.#wakeUp?.();
    };
    void group.worked.then(free);
    const one = async (item: ItemRecord): Promise<void> => {
      this.#active.set(item.id, group);
      if (!(await new ItemWork(work, item, group).run())) this.#unsettled = true;
      this.#active.delete(item.id);
    };
    const all = Promise.all(items.map(one)).then(async () => {
      await group.close();
      this.#groups.delete(group);
      free();
    });
    this.#groups.set(group, all);
    return group;
  }

  async #fill(order: Automation['content']['order'], now: number): Promise<void> {
    const { items } = this.deps;
    const left = this.#left;
    this.#left = false;
    // Whoever had begun them is gone: this node has the automation. Those whose jobs may still run come first.
    const begun = left ? (await items.begun(this.id)).filter(({ id }) => !this.#active.has(id)) : [];
    const { running = [], fetched = [] } = Object.groupBy(begun, ({ jobId, state }) =>
      state === 'running' && jobId === null ? 'fetched' : 'running',
    );
    // Nothing was done for these.
    await items.putBack(fetched, now);
    const due = await items.due(this.id, order, now, READ_AT_ONCE);
    this.#queue = [...running, ...due].filter((item) => !this.#active.has(item.id));
  }

  /** Lists sources whose files were finished, so that a file of the same name is new again. */
  async #mark(automation: Automation, connectors: OpenConnectors): Promise<void> {
    const begun = performance.now();
    const changed = [...this.#changed];
    this.#changed.clear();
    const principal = await this.deps.principalOf(automation);
    for (const sourceId of changed) {
      const takes = automation.content.inputs.find(({ source }) => source === sourceId)?.trigger.type === 'arrival';
      try {
        const source = await connectors.source(sourceId, principal);
        const trigger = takes && automation.enabled ? 'arrival' : undefined;
        await listSource(this.deps, { automation, sourceId, source, trigger });
      } catch (error) {
        if (!isQuireError(error)) throw error;
        this.deps.log.info({ code: error.code, automation: this.id }, 'a source could not be listed after its files');
      }
    }
    this.#marksFrom = performance.now() + restAfter(performance.now() - begun);
  }
}

/** An automation that this node has; its signal is aborted when another node has taken it. */
class HeldAutomation {
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly signal: AbortSignal;

  constructor(
    private readonly lease: Lease | undefined,
    lastsMs: number,
    stop: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stop, this.#lost.signal]);
    if (lease !== undefined)
      this.#timer = setInterval(() => {
        // While the store is away nobody else can take it either.
        void lease.renew().then(
          (kept) => (kept ? undefined : this.#lost.abort()),
          () => undefined,
        );
      }, lastsMs / 3).unref();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.lease?.release();
  }
}

/** Groups that are made ready while others run: none where files wait for each other. */
function mostAhead(concurrency: number): number {
  return concurrency === 1 ? 0 : 1;
}

/** Whether a file may be worked on together with others. */
function sharesJob({ state, alone, failures, size, sourceId }: ItemRecord): boolean {
  return state === 'waiting' && alone !== true && failures === 0 && size <= SMALL_BYTES && sourceId !== UPLOADED;
}
