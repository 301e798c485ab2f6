import { isQuireError } from '@quire/registry';
import type { Store } from '../../store/index.js';
import type { Automation, DestinationSpec } from '../automations/model.js';
import type { ConcernsSource } from '../connectors/model.js';
import type { ItemTrigger } from '../items/item-record.js';
import { Arrivals } from '../triggers/arrivals.js';
import { listSource, type Listing } from '../triggers/list-source.js';
import { Scheduler } from '../triggers/scheduler.js';
import { AutomationWorker } from './automation-worker.js';
import type { EngineDeps } from './engine-deps.js';
import { detailOf, isOwnerGone } from './item-ends.js';
import { endLeftRuns } from './left-runs.js';
import { sweepDeleted, sweepDestinations } from './sweep-destinations.js';
import { openSource } from './open-connectors.js';

export interface AutomationEngineDeps extends EngineDeps {
  readonly store: Pick<Store, 'records'>;
  /** Whether other nodes share the store. */
  readonly shared: boolean;
}

/** A source that could not be listed. */
export interface ListingFault {
  /** Null when it is about the automation and not about one of its sources. */
  readonly sourceId: string | null;
  readonly code: string;
  readonly detail: string;
}

/** One that is still there. */
export interface LastingFault extends ListingFault {
  /** When it was first seen, milliseconds since 1970; absent for an owner. */
  readonly since?: number;
}

const SWEEP_MS = 3_600_000;
/** A node that has noted the end of a file notes that of its run within this time. */
const END_OF_RUN_MS = 60_000;

/** Runs automations: schedules, arrivals, and the work on their files. Without automations it does nothing. */
export class AutomationEngine {
  readonly #workers = new Map<string, AutomationWorker>();
  readonly #listings = new Map<string, Promise<unknown>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #faults = new Map<string, LastingFault>();
  readonly #stop = new AbortController();
  readonly #listening: (() => void)[] = [];
  readonly #scheduler: Scheduler;
  readonly #arrivals: Arrivals;
  #refreshing: Promise<void> = Promise.resolve();
  #refreshWaits = false;
  #revision = -1;
  #poll: NodeJS.Timeout | undefined;
  #sweeper: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  #started = false;

  constructor(private readonly deps: AutomationEngineDeps) {
    this.#scheduler = new Scheduler({
      ...deps,
      sweepMs: deps.timing.scheduleSweepMs,
      fire: (automationId, sourceId) => this.#begun(automationId, sourceId, 'schedule'),
    });
    this.#arrivals = new Arrivals({
      ...deps,
      arrived: (automationId, sourceId) => this.#begun(automationId, sourceId, 'arrival'),
    });
  }

  /** Takes up the work that the last process left. Never rejects: while the store is away it keeps trying. */
  async start(): Promise<void> {
    this.#started = this.deps.runsHere;
    if (!this.#started) return this.#listenHere();
    await this.#refresh();
    void this.#endLeftRuns();
    // Other nodes change automations too, or die with files that they had begun.
    if (this.deps.shared)
      this.#poll = setInterval(() => void this.#refresh(), this.deps.timing.scheduleSweepMs).unref();
  }

  /** An automation or a source was saved or deleted. */
  changed(): void {
    this.#revision = -1;
    if (this.#started) void this.#refresh();
  }

  /** Looks for files of this automation that can be worked on. */
  wake(automationId: string): void {
    if (this.#stop.signal.aborted) return;
    let worker = this.#workers.get(automationId);
    if (worker === undefined) {
      worker = new AutomationWorker(this.deps, automationId);
      this.#workers.set(automationId, worker);
    }
    worker.wake();
  }

  /** Lists the sources of an automation now and starts the work on what is new. A source that fails is reported. */
  async trigger(automation: Automation): Promise<readonly (Listing | ListingFault)[]> {
    const found: (Listing | ListingFault)[] = [];
    for (const { source } of automation.content.inputs) {
      if (source === null) continue;
      const listing = await this.#lookAt(automation, source, 'manual').catch((error: unknown) => {
        if (!isQuireError(error)) throw error;
        return { sourceId: source, code: error.code, detail: detailOf(error) };
      });
      if (listing !== undefined) found.push(listing);
    }
    return found;
  }

  /** When a schedule starts it next; null when none does. */
  nextStart(automationId: string): number | null {
    return this.#scheduler.nextOf(automationId);
  }

  /** An owner who is gone, and the sources that could not be listed when this node tried last. */
  async faultsOf(automation: Automation): Promise<readonly LastingFault[]> {
    const { id, content } = automation;
    try {
      await this.deps.principalOf(automation);
    } catch (error) {
      // The same holds for all of its sources then.
      if (isQuireError(error) && isOwnerGone(error))
        return [{ sourceId: null, code: error.code, detail: detailOf(error) }];
      throw error;
    }
    return content.inputs.flatMap(({ source }) => this.#faults.get(`${id} ${source ?? ''}`) ?? []);
  }

  /** Notes destinations with something to sweep that an automation will no longer have. */
  async left(destinations: readonly DestinationSpec[]): Promise<void> {
    const { kinds, left, clock } = this.deps;
    const swept = destinations.filter(({ type }) => kinds.destinations.get(type)?.sweep !== undefined);
    await left.add(swept, clock.now().getTime());
  }

  /** Removes everything about an automation that was deleted. */
  async forget(automation: Automation): Promise<void> {
    const { id: automationId } = automation;
    await this.#workers.get(automationId)?.close();
    this.#workers.delete(automationId);
    await this.#scheduler.forget(automationId);
    await sweepDeleted(this.deps, automation);
    await this.deps.items.removeAll(automationId);
    await this.deps.runs.removeAll(automationId);
    this.deps.tallies.forget(automationId);
  }

  /** Fires schedules that are due; for tests with their own clock. */
  tick(): Promise<void> {
    return this.#scheduler.tick();
  }

  /** Resolves when everything that was asked for so far is done, except what waits for a time. */
  async idle(): Promise<void> {
    await this.#refreshing;
    while (this.#listings.size > 0) await Promise.allSettled(this.#listings.values());
    for (const worker of this.#workers.values()) await worker.idle();
  }

  /** Stops at once; files that are worked on stay as they are, for the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    const workers = [...this.#workers.values()].map((worker) => worker.close());
    for (const end of this.#listening) end();
    clearInterval(this.#poll);
    clearInterval(this.#sweeper);
    clearTimeout(this.#again);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.#refreshing;
    await this.#scheduler.close();
    await this.#arrivals.close();
    await Promise.allSettled(this.#listings.values());
    await Promise.all(workers);
  }

  /** This node runs no jobs. It works on what was sent to it: the others hear nothing of that. */
  #listenHere(): void {
    for (const { type, onArrival } of this.deps.kinds.sources.values()) {
      const end = onArrival?.((concerns) => void this.#arrivedHere(type, concerns));
      if (end !== undefined) this.#listening.push(end);
    }
  }

  async #arrivedHere(type: string, concerns: ConcernsSource): Promise<void> {
    const { automations, sources, clock, timing, log } = this.deps;
    try {
      for (const { id, ownerId, enabled, content } of await automations.current())
        for (const { source: sourceId, trigger } of enabled ? content.inputs : []) {
          if (sourceId === null || trigger.type !== 'arrival') continue;
          const source = await sources.get(sourceId);
          if (source?.type === type && concerns(source.options, ownerId))
            this.#listLater(id, sourceId, 'arrival', clock.now().getTime() + timing.watchQuietMs);
        }
    } catch (error) {
      log.warn({ err: error }, 'a file has arrived that this node cannot look at; another one finds it later');
    }
  }

  #refresh(): Promise<void> {
    const { log, automations, timing } = this.deps;
    // One that has not begun sees this change too.
    if (this.#refreshWaits) return this.#refreshing;
    this.#refreshWaits = true;
    this.#refreshing = this.#refreshing
      .then(async () => {
        this.#refreshWaits = false;
        if (this.#stop.signal.aborted) return;
        for (const [id, worker] of this.#workers) if (!worker.busy) this.#workers.delete(id);
        const revision = await automations.revision();
        if (revision !== this.#revision) {
          const all = await automations.current();
          await this.#scheduler.set(all);
          void this.#arrivals.set(all);
          this.#revision = revision;
          this.#sweepWhile(all.length > 0 || (await this.deps.left.all()).length > 0);
        }
        if (revision === 0) return;
        const ids = (await automations.current()).map(({ id }) => id);
        for (const id of await this.deps.items.busy(ids)) this.wake(id);
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'automations could not be read; the server tries again');
        if (this.#poll === undefined && !this.#stop.signal.aborted)
          this.#again = setTimeout(() => void this.#refresh(), timing.scheduleSweepMs).unref();
      });
    return this.#refreshing;
  }

  #sweepWhile(wanted: boolean): void {
    if (wanted && this.#sweeper === undefined) this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS).unref();
    else if (!wanted) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
    }
  }

  /** Those of the process before this one; other nodes may be ending theirs. */
  async #endLeftRuns(): Promise<void> {
    const { deps } = this;
    await endLeftRuns(deps, deps.shared ? END_OF_RUN_MS : 0).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'runs that a process has left could not be ended; the next sweep tries again');
    });
  }

  async #sweep(): Promise<void> {
    const { automations, items, runs, sources, clock, log } = this.deps;
    await this.#endLeftRuns();
    try {
      const now = clock.now().getTime();
      await items.sweep(now);
      await sources.sweep(now);
      await this.deps.sweepDeliveries();
      await this.deps.sweepAssets();
      await this.deps.sweepFolders();
      await sweepDestinations(this.deps);
      await runs.sweep(
        (await automations.all()).map(({ id }) => id),
        now,
      );
    } catch (error) {
      log.warn({ err: error }, 'old records of automations could not be removed; the next sweep tries again');
    }
  }

  /** Lists a source because of a schedule or an arrival. */
  async #begun(automationId: string, sourceId: string, trigger: ItemTrigger): Promise<void> {
    const automation = await this.deps.automations.get(automationId);
    if (automation?.enabled === true) await this.#lookAt(automation, sourceId, trigger);
  }

  /** One listing of a source at a time for each automation; undefined when the source is switched off. */
  async #lookAt(automation: Automation, sourceId: string, trigger: ItemTrigger): Promise<Listing | undefined> {
    const key = `${automation.id} ${sourceId}`;
    const before = this.#listings.get(key) ?? Promise.resolve();
    const listing = before
      .catch(() => undefined)
      .then(() => (this.#stop.signal.aborted ? undefined : this.#listNow(automation, sourceId, trigger)));
    this.#listings.set(key, listing);
    try {
      const found = await listing;
      this.#faults.delete(key);
      return found;
    } catch (error) {
      if (isQuireError(error)) {
        const since = this.#faults.get(key)?.since ?? this.deps.clock.now().getTime();
        this.#faults.set(key, { sourceId, code: error.code, detail: detailOf(error), since });
      }
      throw error;
    } finally {
      if (this.#listings.get(key) === listing) this.#listings.delete(key);
      this.deps.touched(automation.id);
    }
  }

  async #listNow(automation: Automation, sourceId: string, trigger: ItemTrigger): Promise<Listing | undefined> {
    if ((await this.deps.sources.get(sourceId))?.enabled !== true) return undefined;
    const principal = await this.deps.principalOf(automation);
    const source = await openSource(this.deps, sourceId, principal, this.#stop.signal);
    try {
      const listing = await listSource(this.deps, { automation, sourceId, source, trigger });
      if (listing.settlesAt !== undefined) this.#listLater(automation.id, sourceId, trigger, listing.settlesAt);
      if (listing.taken.length + listing.inFlight > 0) this.wake(automation.id);
      return listing;
    } finally {
      await source.close();
    }
  }

  /** For files that are too new now. */
  #listLater(automationId: string, sourceId: string, trigger: ItemTrigger, atMs: number): void {
    const key = `${automationId} ${sourceId}`;
    clearTimeout(this.#timers.get(key));
    if (this.#stop.signal.aborted) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(key);
        void this.#settled(automationId, sourceId, trigger);
      },
      Math.max(0, atMs - this.deps.clock.now().getTime()) + 1,
    ).unref();
    this.#timers.set(key, timer);
  }

  async #settled(automationId: string, sourceId: string, trigger: ItemTrigger): Promise<void> {
    const { automations, log } = this.deps;
    try {
      const automation = await automations.get(automationId);
      if (automation === undefined) return;
      await this.#lookAt(automation, sourceId, trigger);
    } catch (error) {
      log.warn({ err: error, automation: automationId }, 'a source cannot be read; the next start tries again');
    }
  }
}
