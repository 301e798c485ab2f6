import type { LoadedPlugin } from '@quire/catalog';
import { DefectError, type WorkerTasks } from '@quire/registry';
import type { WorkerPool } from './worker-pool.js';

/** Time limit of a task that declares none. */
const DEFAULT_MS = 60_000;

/** Returns the tasks of one plugin, run in the pool as operations are; tasks of other plugins are not available. */
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
