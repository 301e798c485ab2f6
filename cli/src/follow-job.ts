import type { Job } from '@quire/client';
import { drawProgress } from './output.js';

/** Waits for a job and draws its progress. Resolves to its result. */
export async function followJob<T>(job: Job<T>, what: string, signal: AbortSignal): Promise<T> {
  try {
    for await (const { status, progress, complete } of job.follow({ signal })) {
      drawProgress(`${what} ${status}`, progress);
      if (complete) break;
    }
    return await job.result({ signal });
  } catch (error) {
    // Nobody would fetch the result any more.
    if (signal.aborted) await job.cancel().catch(() => undefined);
    throw error;
  } finally {
    drawProgress(undefined);
  }
}
