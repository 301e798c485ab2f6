import type { Logger } from '@quire/registry';

type Step = () => unknown;

/** The steps of each phase, in the order in which they run. Every step is awaited. */
export interface LifeCycleSteps {
  /** Run before the server listens. */
  readonly start: readonly Step[];
  /** Run after `start`, while the first requests are answered. A failure stops the server. */
  readonly background: readonly Step[];
  /** Run in parallel: each lets running work finish within this time. */
  readonly drain: readonly ((patienceMs: number) => unknown)[];
  /** Run after `drain`. */
  readonly stop: readonly Step[];
}

export interface LifeCycleOptions {
  readonly steps: LifeCycleSteps;
  readonly patienceMs: number;
  readonly log: Logger;
  /** Called when a background step failed, before the server stops. */
  backgroundFailed(error: unknown): void;
}

export class LifeCycle {
  #stopping = false;
  #background: Promise<void> = Promise.resolve();

  constructor(private readonly options: LifeCycleOptions) {}

  /** True until the server begins to stop. */
  get accepting(): boolean {
    return !this.#stopping;
  }

  /** Resolves when the server listens. */
  async start(): Promise<void> {
    const { steps, log, backgroundFailed } = this.options;
    await inOrder(steps.start);
    this.#background = inOrder(steps.background).catch((error: unknown) => {
      log.error({ err: error }, 'jobs could not be started; the server stops');
      backgroundFailed(error);
      process.exitCode = 1;
      setImmediate(() => void this.stop());
    });
  }

  /** Rejects new work, lets running work finish within its time, and stops everything. Later calls have no effect. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    const { steps, patienceMs } = this.options;
    await this.#background;
    await Promise.all(steps.drain.map((step) => step(patienceMs)));
    await inOrder(steps.stop);
  }
}

async function inOrder(steps: readonly Step[]): Promise<void> {
  for (const step of steps) await step();
}
