import type { Store } from '../store/index.js';
import type { Lease } from './cluster/index.js';
import { reviewExpiry } from './job-cleanup.js';
import type { JobCluster, JobContext } from './job-options.js';
import { recoverShared } from './job-recovery.js';
import type { JobRunner } from './job-runner.js';
import { reviewWaiting } from './job-waiting.js';
import type { AgendaQueue } from './queue/agenda-queue.js';

/** How often a shared store is searched for lost jobs, ms. */
const REVIEW_MS = 15_000;
/** How long the cancellation of a job that runs on another node is kept, ms; that node sees it within a second. */
const CANCEL_KEPT_MS = 120_000;
/** How often left-over cancellations and nodes that have long been silent are removed while there are no jobs, ms. */
const SWEEP_MS = 600_000;

export interface JobUpkeepDeps {
  readonly context: JobContext;
  readonly store: Store;
  readonly queue: AgendaQueue;
  readonly runner: JobRunner;
  readonly cluster: JobCluster | undefined;
  readonly shared: boolean;
}

/** Regular maintenance of jobs. On a shared store one node does it for all; a lease decides which. */
export class JobUpkeep {
  readonly #timers = new Set<NodeJS.Timeout>();
  #lease: Lease | undefined;
  #closing = false;
  #sweptAt = -Infinity;

  constructor(private readonly deps: JobUpkeepDeps) {}

  /** Starts no further maintenance. */
  stop(): void {
    this.#closing = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Releases the lease, so that another node can do the maintenance. */
  async release(): Promise<void> {
    await this.#lease?.release();
    this.#lease = undefined;
  }

  /** Only a shared store has a better clock than this process. */
  async setClock(): Promise<void> {
    if (this.deps.shared) await this.deps.context.steady.follow(() => this.deps.store.serverTime());
  }

  /** Recovers lost jobs and reviews waiting ones, on the one node that does the maintenance. */
  async review(): Promise<void> {
    await this.setClock();
    const fresh = this.#lease === undefined;
    if (!(await this.isMine())) return;
    const { cluster } = this.deps;
    // After a period without maintenance: results may have expired unnoticed.
    if (fresh) await reviewExpiry(this.deps.context);
    const unfinished = await recoverShared(this.deps.context, this.deps.queue, this.deps.runner);
    if (cluster === undefined) return;
    if (unfinished > 0)
      await reviewWaiting(this.deps.context, this.deps.queue, (needs) => cluster.unmetAnywhere(needs));
    if (unfinished === 0 && performance.now() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = performance.now();
    await this.deps.context.cancels.deleteMany(
      {},
      { atMost: { atMs: this.deps.context.steady.now() - CANCEL_KEPT_MS } },
    );
    await cluster.sweep();
  }

  /** Returns true while this node holds the maintenance lease; another takes it over when this node dies. */
  async isMine(): Promise<boolean> {
    const { cluster } = this.deps;
    if (cluster === undefined || !this.deps.shared) return true;
    if (this.#lease !== undefined && !(await this.#lease.renew())) this.#lease = undefined;
    this.#lease ??= await cluster.leases.take('upkeep', 3 * this.reviewMs);
    return this.#lease !== undefined;
  }

  get reviewMs(): number {
    return Math.min(REVIEW_MS, this.deps.context.timing.lockLifetimeMs);
  }

  later(work: () => Promise<unknown>, ms: number): void {
    if (this.#closing) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void work().catch((error: unknown) =>
        this.deps.context.log.warn({ error: String(error) }, 'maintenance of the jobs failed and will be retried'),
      );
    }, ms);
    timer.unref();
    this.#timers.add(timer);
  }

  every(work: () => Promise<unknown>, ms: number): void {
    this.later(async () => {
      try {
        await work();
      } finally {
        this.every(work, ms);
      }
    }, ms);
  }
}
