import type { Principal } from '@quire/registry';
import type { Automation } from '../automations/model.js';
import type { OpenSource } from '../connectors/model.js';
import type { EngineDeps } from '../runs/engine-deps.js';
import { openSource } from '../runs/open-connectors.js';
import { restAfter } from './list-source.js';

/** How many quiet times a listing waits for the end of reports, since the first of them: they may go on for hours. */
const LONGEST_WAIT = 10;

export interface ArrivalsDeps extends Pick<
  EngineDeps,
  'kinds' | 'sources' | 'log' | 'timing' | 'principalOf' | 'leases'
> {
  /** Lists a source for an automation and starts the work on what is new. */
  arrived(automationId: string, sourceId: string): Promise<void>;
}

interface Wanted {
  readonly automation: Automation;
  readonly sourceId: string;
  /** Another text when the watch must be opened again. */
  readonly signature: string;
}

/** Watches the sources of automations that arrivals start, and lists them now and then. Idle without any. */
export class Arrivals {
  readonly #watches = new Map<string, SourceWatch>();
  #reconcile: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(private readonly deps: ArrivalsDeps) {}

  /** Replaces the watches by those of these automations; a new one lists its source at once. Never rejects. */
  set(automations: readonly Automation[]): Promise<void> {
    this.#turn = this.#turn
      .then(() => this.#set(automations))
      .catch((error: unknown) => {
        this.deps.log.warn({ err: error }, 'sources of automations could not be watched; they are listed now and then');
      });
    return this.#turn;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#reconcile);
    await this.#turn;
    await Promise.all([...this.#watches.values()].map((watch) => watch.close()));
  }

  async #set(automations: readonly Automation[]): Promise<void> {
    if (this.#closed) return;
    const wanted = await this.#wanted(automations);
    for (const [key, watch] of this.#watches)
      if (wanted.get(key)?.signature !== watch.signature) {
        this.#watches.delete(key);
        await watch.close();
      }
    for (const [key, { automation, sourceId, signature }] of wanted) {
      if (this.#watches.has(key)) continue;
      const watch = new SourceWatch(this.deps, automation, sourceId, signature);
      this.#watches.set(key, watch);
      watch.open();
    }
    this.#arm();
  }

  async #wanted(automations: readonly Automation[]): Promise<ReadonlyMap<string, Wanted>> {
    const wanted = new Map<string, Wanted>();
    const sources = new Map((await this.deps.sources.all()).map((source) => [source.id, source]));
    for (const automation of automations)
      for (const { source: sourceId, trigger } of automation.enabled ? automation.content.inputs : []) {
        if (sourceId === null || trigger.type !== 'arrival') continue;
        const source = sources.get(sourceId);
        if (source === undefined || !source.enabled) continue;
        const signature = `${automation.revision} ${source.savedAt}`;
        wanted.set(`${automation.id} ${sourceId}`, { automation, sourceId, signature });
      }
    return wanted;
  }

  #arm(): void {
    clearInterval(this.#reconcile);
    this.#reconcile = undefined;
    if (this.#watches.size === 0) return;
    this.#reconcile = setInterval(() => {
      for (const watch of this.#watches.values()) void this.#look(watch);
    }, this.deps.timing.reconcileMs).unref();
  }

  /** On a shared store, one node lists a source in each interval. */
  async #look(watch: SourceWatch): Promise<void> {
    const { leases, timing, log } = this.deps;
    try {
      const name = `automation-listing ${watch.key}`;
      if (leases !== undefined && (await leases.take(name, timing.reconcileMs * 0.9)) === undefined) return;
      watch.open();
    } catch (error) {
      log.warn({ err: error }, 'a source of an automation could not be listed; it is tried again');
    }
  }
}

/** The watch of one source for one automation. */
class SourceWatch {
  readonly #stop = new AbortController();
  #opening: Promise<void> | undefined;
  #source: OpenSource | undefined;
  #watch: { stop(): Promise<void> } | undefined;
  #quiet: NodeJS.Timeout | undefined;
  /** When the first report came that no listing has answered, by `performance.now`. */
  #reportedAt: number | undefined;
  #listing = false;
  /** By `performance.now`: no listing begins before. */
  #restsUntil = 0;

  constructor(
    private readonly deps: ArrivalsDeps,
    private readonly automation: Automation,
    private readonly sourceId: string,
    readonly signature: string,
  ) {}

  get key(): string {
    return `${this.automation.id} ${this.sourceId}`;
  }

  /** Lists the source, and opens the watch unless it is open. */
  open(): void {
    if (this.#stop.signal.aborted) return;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#quiet);
    await this.#opening;
    await this.#watch?.stop().catch(() => undefined);
    await this.#source?.close().catch(() => undefined);
  }

  async #open(): Promise<void> {
    const { deps, automation, sourceId } = this;
    try {
      if (this.#watch === undefined) {
        const principal: Principal = await deps.principalOf(automation);
        this.#source ??= await openSource(deps, sourceId, principal, this.#stop.signal);
        this.#watch = await this.#source.watch?.(() => this.#arrived());
      }
      await deps.arrived(automation.id, sourceId);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      deps.log.warn({ err: error, automation: automation.id }, 'a source cannot be read; it is tried again');
    }
  }

  /** Reports in quick succession are answered by one listing. */
  #arrived(): void {
    if (this.#stop.signal.aborted) return;
    const now = performance.now();
    const { watchQuietMs } = this.deps.timing;
    this.#reportedAt ??= now;
    const latest = this.#reportedAt + LONGEST_WAIT * watchQuietMs;
    clearTimeout(this.#quiet);
    if (this.#listing) return;
    const at = Math.max(Math.min(now + watchQuietMs, latest), this.#restsUntil);
    this.#quiet = setTimeout(() => void this.#list(), Math.max(0, at - now)).unref();
  }

  async #list(): Promise<void> {
    const { deps, automation, sourceId } = this;
    this.#reportedAt = undefined;
    this.#listing = true;
    const begun = performance.now();
    try {
      await deps.arrived(automation.id, sourceId);
    } catch (error) {
      deps.log.warn({ err: error, automation: automation.id }, 'a source cannot be read; it is tried again');
    }
    this.#listing = false;
    this.#restsUntil = performance.now() + restAfter(performance.now() - begun);
    if (this.#reportedAt !== undefined) this.#arrived();
  }
}
