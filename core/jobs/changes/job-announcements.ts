import { atMostEvery } from '../backplane/index.js';
import type { JobContext } from '../job-options.js';
import type { JobRunner } from '../job-runner.js';
import type { AgendaQueue } from '../queue/agenda-queue.js';

/** Shortest time between two looks at all watched jobs, ms: their places in the queue change with every other job. */
const PLACES_MS = 1000;

/**
 * Lets queue, runner and watchers look into the store when another node announces a change of a job. An announcement
 * decides nothing: a forged one costs a query. Returns the end of it.
 */
export function listenToJobs(
  { backplane, changes }: Pick<JobContext, 'backplane' | 'changes'>,
  queue: AgendaQueue,
  runner: JobRunner,
): () => void {
  const places = atMostEvery(PLACES_MS, () => changes.wakeAll());
  const ends = [
    backplane.on('job-added', ({ id, nodes }) => {
      queue.addedElsewhere(id, nodes);
      places();
    }),
    backplane.on('job-changed', ({ id }) => {
      if (id !== undefined) {
        queue.takenElsewhere(id);
        changes.changedElsewhere(id);
      }
      places();
    }),
    backplane.on('job-cancelled', ({ id }) => {
      if (id !== undefined) void runner.cancels.announced(id).catch(() => undefined);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
