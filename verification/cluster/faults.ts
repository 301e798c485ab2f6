import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterNode } from './cluster-node.js';
import type { StoreServer } from './store-server.js';

/** Faults injected into the cluster. */
export interface FaultCounts {
  kills: number;
  storeStops: number;
  apiRestarts: number;
}

const storeAwayMs = 10_000;

/** Injects faults: kills workers at random moments, and stops the store and the api node at given points of the run. */
export class Faults {
  readonly counts: FaultCounts = { kills: 0, storeStops: 0, apiRestarts: 0 };
  readonly #end = new AbortController();
  readonly #restarts = new Set<Promise<void>>();

  constructor(
    private readonly workers: readonly ClusterNode[],
    private readonly say: (text: string) => void,
  ) {}

  /**
   * Kills one worker after another, at random moments that are on average `everySeconds` apart, until `stop`. While
   * none runs, that time has not begun: on a busy machine a start may take longer.
   */
  async killWorkers(everySeconds: number): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      if (this.#down.size === this.workers.length && this.#restarts.size > 0) await Promise.race(this.#restarts);
      await delay(everySeconds * 1000 * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const up = this.workers.filter((node) => !this.#down.has(node));
      const victim = up[Math.floor(Math.random() * up.length)];
      if (victim === undefined) continue;
      await victim.end('SIGKILL');
      this.counts.kills += 1;
      this.#restart(victim);
    }
  }

  /** Freezes the store for ten seconds. */
  async freezeStore(store: StoreServer): Promise<void> {
    this.say('the store freezes for 10 s');
    store.freeze();
    await delay(storeAwayMs);
    store.thaw();
    this.counts.storeStops += 1;
  }

  /** Kills the store and restarts it after ten seconds. */
  async killStore(store: StoreServer): Promise<void> {
    this.say('the store is killed and restarts after 10 s');
    await store.kill();
    await delay(storeAwayMs);
    await store.start();
    this.counts.storeStops += 1;
  }

  /** Stops the api node as an operator does, and restarts it. */
  async restartApi(api: ClusterNode): Promise<void> {
    this.say('the api node is restarted');
    await api.end('SIGTERM');
    await api.start();
    this.counts.apiRestarts += 1;
  }

  /** Ends the faults; resolves when every worker is up again. */
  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#restarts);
  }

  readonly #down = new Set<ClusterNode>();

  #restart(node: ClusterNode): void {
    this.#down.add(node);
    const work = (async (): Promise<void> => {
      await delay(500 + Math.random() * 2000);
      // A node that starts while the store is away may exit; a supervisor would try again.
      for (let tries = 1; ; tries++) {
        try {
          await node.start();
          break;
        } catch (error) {
          if (tries === 5) throw error;
          this.say(String(error));
        }
      }
      this.#down.delete(node);
    })();
    const settled = work.finally(() => this.#restarts.delete(settled));
    this.#restarts.add(settled);
  }
}
