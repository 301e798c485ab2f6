import { statfs } from 'node:fs/promises';
import type { PoolStats } from '../operations/workers/index.js';
import type { ProgramGauge } from './metrics.js';

/** Status of the server or of one component, in actuator terms. */
export type HealthStatus = 'UP' | 'DOWN' | 'OUT_OF_SERVICE';

/** One component of the server. */
export interface HealthComponent {
  readonly status: HealthStatus;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The overall status is the worst of the components. */
export interface HealthReport {
  readonly status: HealthStatus;
  readonly components: Readonly<Record<string, HealthComponent>>;
}

/** The components that are checked. */
export interface HealthSources {
  readonly storeKind: string;
  storeUp(): Promise<boolean>;
  pool(): PoolStats;
  /** Undefined where none is set up. */
  backplane(): { readonly kind: string; readonly connected: boolean } | undefined;
  /** Maximum number of waiting runs. */
  queueLimit(): number;
  programs(): readonly ProgramGauge[];
  /** False while the server shuts down. */
  accepting(): boolean;
  /** The folder that contains everything the server writes. */
  readonly basePath: string;
  /** Free bytes required there. */
  readonly minFreeBytes: number;
}

/** How long a report is reused: the address is public, so frequent requests must not load the store. */
const KEPT_MS = 1000;
const PATIENCE_MS = 2000;

/** Checks the store, the disk, the queue, the workers and the programs. */
export class Health {
  #last: { readonly at: number; readonly report: Promise<HealthReport> } | undefined;

  constructor(private readonly sources: HealthSources) {}

  /** Returns the state of every component, at most a second old. Never rejects. */
  report(): Promise<HealthReport> {
    const now = performance.now();
    if (this.#last === undefined || now - this.#last.at > KEPT_MS) this.#last = { at: now, report: this.#look() };
    return this.#last.report;
  }

  /** Returns whether the server accepts new work: the store answers and the server is not shutting down. */
  async readiness(): Promise<HealthReport> {
    const { store } = (await this.report()).components;
    const state: HealthComponent = { status: this.sources.accepting() ? 'UP' : 'OUT_OF_SERVICE' };
    return whole({ readinessState: state, ...(store === undefined ? {} : { store }) });
  }

  async #look(): Promise<HealthReport> {
    const { storeKind, basePath, minFreeBytes } = this.sources;
    const [storeUp, disk] = await Promise.all([within(this.sources.storeUp()), within(statfs(basePath))]);
    const backplane = this.sources.backplane();
    const free = disk === undefined ? 0 : disk.bavail * disk.bsize;
    const { size, workers, busy, queued, oldestQueuedMs, restarts, isolation } = this.sources.pool();
    return whole({
      store: { status: storeUp === true ? 'UP' : 'DOWN', details: { kind: storeKind } },
      diskSpace: {
        status: disk !== undefined && free >= minFreeBytes ? 'UP' : 'DOWN',
        details: { total: disk === undefined ? 0 : disk.blocks * disk.bsize, free, threshold: minFreeBytes },
      },
      queue: {
        status: 'UP',
        details: { queued, limit: this.sources.queueLimit(), oldestSeconds: oldestQueuedMs / 1000 },
      },
      workers: { status: 'UP', details: { limit: size, started: workers, busy, restarts, isolation } },
      // A missing program disables its operations, not the server.
      programs: {
        status: 'UP',
        details: Object.fromEntries(
          this.sources
            .programs()
            .map(({ name, found, running, waiting, isolation }) => [
              name,
              { found, running, waiting, ...(isolation === undefined ? {} : { isolation }) },
            ]),
        ),
      },
      // Without it nodes ask the store more often; nothing is lost.
      ...(backplane === undefined ? {} : { backplane: { status: 'UP', details: backplane } }),
      intake: { status: this.sources.accepting() ? 'UP' : 'OUT_OF_SERVICE' },
    });
  }
}

function whole(components: Readonly<Record<string, HealthComponent>>): HealthReport {
  const states = Object.values(components).map(({ status }) => status);
  return {
    status: states.includes('DOWN') ? 'DOWN' : states.includes('OUT_OF_SERVICE') ? 'OUT_OF_SERVICE' : 'UP',
    components,
  };
}

/** Returns undefined if the promise rejects or takes too long, so that a hanging mount does not block the probe. */
async function within<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), PATIENCE_MS)));
  try {
    return await Promise.race([promise.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
