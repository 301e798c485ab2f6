import type { LoadedPlugin } from '@quire/catalog';
import { DefectError, type WorkerTasks } from '@quire/registry';
import type { WorkerPool } from './worker-pool.js';

/** A task whose declaration says nothing else. */
const DEFAULT_MS = 60_000;

/** The tasks of one plugin, run in the pool as operations are; those of others it does not reach. */
export function workerTasksOf(plugin: LoadedPlugin, pool: WorkerPool): WorkerTasks {
  return {
    run: async <I, O>(
      { name, timeoutMs = DEFAULT_MS }: { readonly name: string; readonly timeoutMs?: number },
      input: I,
      signal: AbortSignal,
    ): Promise<O> => {
      if (!(plugin.plugin.tasks ?? []).some((task) => task.name === name))
        throw new DefectError('CONTRACT_BROKEN', { detail: `${plugin.name} has no task ${name}` });
      const { json } = await pool.run({ type: 'task', entryUrl: plugin.entryUrl, name, input }, { timeoutMs, signal });
      return json as O;
    },
  };
}
