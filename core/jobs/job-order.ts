import type { JobContext } from './job-options.js';

/**
 * How much later each waiting job of an owner has its turn than the one before, ms: between two of them others have
 * theirs.
 */
const stepMs = 1000;
/** What one level of urgency is worth in waiting, ms. Nobody waits for ever behind the urgent. */
const levelMs = 600_000;

/** Urgency of a job as in RFC 9218, 4.1: 0 (first) to 7 (last). */
export const normalUrgency = 3;

/** A job's turn. */
export interface JobTurn {
  readonly fairMs: number;
  readonly rank: number;
}

/**
 * Gives a new job its turn: that of its arrival, but an owner whose jobs wait already has his next one later
 * (start-time fair queueing), so that a thousand jobs of one user do not hold up the first of another. Urgency moves it
 * by ten minutes a level. An owner's own jobs of one urgency keep their order. `owner` is '' while login is off, and
 * then all are alike.
 */
export async function turnOf(
  { jobs }: Pick<JobContext, 'jobs'>,
  owner: string,
  arrivedMs: number,
  urgency: number,
): Promise<JobTurn> {
  const last =
    owner === ''
      ? undefined
      : await jobs.findOne({ owner, status: 'queued' }, { sort: [{ field: 'fairMs', order: 'descending' }] });
  const fairMs = Math.max(arrivedMs, (last?.fairMs ?? -Infinity) + stepMs);
  return { fairMs, rank: fairMs + (urgency - normalUrgency) * levelMs };
}
