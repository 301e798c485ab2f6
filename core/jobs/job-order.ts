import type { JobContext } from './job-options.js';

/** Delay between the turns of an owner's waiting jobs, ms: jobs of other owners run in between. */
const stepMs = 1000;
/** Waiting time that one level of urgency is worth, ms. It is finite, so urgent jobs cannot delay others for ever. */
const levelMs = 600_000;

/** Default urgency. RFC 9218, 4.1: 0 (first) to 7 (last). */
export const normalUrgency = 3;

/** Position of a job in the order of the queue. */
export interface JobTurn {
  readonly fairMs: number;
  readonly rank: number;
}

/**
 * Returns the turn of a new job: normally its arrival, but the next job of an owner with waiting jobs comes later
 * (start-time fair queueing), so that a thousand jobs of one user do not delay the first of another. Urgency moves it
 * by ten minutes per level. Jobs of one owner with equal urgency keep their order. While login is off `owner` is '' and
 * all jobs are treated alike.
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
