import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterNode } from './cluster-node.js';
import type { StoreServer } from './store-server.js';

/** What was done to the cluster. */
export interface FaultCounts {
  kills: number;
  storeStops: number;
  apiRestarts: number;
}

const storeAwayMs = 10_000;

/** Does harm to a cluster: kills workers now and then, and the rest at given points of the run. */
export class Faults {
  readonly counts: FaultCounts = { kills: 0, storeStops: 0, apiRestarts: 0 };
  readonly #end = new AbortController();
  readonly #restarts = new Set<Promise<void>>();

  constructor(
    private readonly workers: readonly ClusterNode[],
    private readonly say: (text: string) => void,
  ) {}

  /** Kills one worker after the other, at random moments around the given distance, until `stop`. */
  async killWorkers(everySeconds: number): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
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

  /** The store hangs for ten seconds. */
  async freezeStore(store: StoreServer): Promise<void> {
    this.say('the store hangs for 10 s');
    store.freeze();
    await delay(storeAwayMs);
    store.thaw();
    this.counts.storeStops += 1;
  }

  /** The store is killed, and started again after ten seconds. */
  async killStore(store: StoreServer): Promise<void> {
    this.say('the store is killed, and comes back after 10 s');
    await store.kill();
    await delay(storeAwayMs);
    await store.start();
    this.counts.storeStops += 1;
  }

  /** The api node is stopped as an operator does it, and started again. */
  async restartApi(api: ClusterNode): Promise<void> {
    this.say('the api node is restarted');
    await api.end('SIGTERM');
    await api.start();
    this.counts.apiRestarts += 1;
  }

  /** No more harm; resolves when every worker is up again. */
  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#restarts);
  }

  readonly #down = new Set<ClusterNode>();

  #restart(node: ClusterNode): void {
    this.#down.add(node);
    const work = (async (): Promise<void> => {
      await delay(500 + Math.random() * 2000);
      // A start while the store is away may end; a supervisor would try again.
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
