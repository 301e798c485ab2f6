import type { JobContext } from '../job-options.js';

/** How often a node with running jobs checks for cancellations on other nodes, ms. */
const EVERY_MS = 1000;

interface Runs {
  isRunning(jobId: string): boolean;
  abort(jobId: string): void;
}

/** Cancellations that other nodes make of jobs that run here; there are rarely any. */
export class JobCancels {
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = -Infinity;

  constructor(
    private readonly context: JobContext,
    private readonly runs: Runs,
  ) {}

  /** Looks for them from now on: seldom while other nodes announce them. */
  start(): void {
    clearInterval(this.#timer);
    const { backplane, timing } = this.context;
    const look = (): void => {
      const wait = backplane.connected ? backplane.slowJobsMs : 0;
      if (performance.now() - this.#lookedAt >= wait) void this.#look().catch(() => undefined);
    };
    this.#lookedAt = performance.now();
    this.#timer = setInterval(look, Math.min(EVERY_MS, timing.touchMs));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Another node says that this job was cancelled: stops it here if its record says so too. */
  async announced(jobId: string): Promise<void> {
    if (!this.runs.isRunning(jobId) || (await this.context.jobs.get(jobId))?.status !== 'cancelled') return;
    this.runs.abort(jobId);
    await this.context.cancels.delete(jobId);
  }

  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    for (const { id } of await this.context.cancels.find({}, { limit: 1000 })) {
      if (!this.runs.isRunning(id)) continue;
      this.runs.abort(id);
      await this.context.cancels.delete(id);
    }
  }
}
