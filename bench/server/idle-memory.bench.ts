import { spawn } from 'node:child_process';
import { memoryOf, processTree } from '../../verification/corpus/built-server.js';
import type { Bench } from '../measure/bench.js';
import { mb } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const TARGET_MB = 90;
/** The worker that waited for a first call has ended. */
const SETTLE_MS = 20_000;

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

async function treeMemory(pid: number): Promise<{ rss: number; pss: number; processes: number }> {
  const found = await Promise.all((await processTree(pid)).map(memoryOf));
  return {
    rss: found.reduce((sum, { rss }) => sum + rss, 0),
    pss: found.reduce((sum, { pss }) => sum + pss, 0),
    processes: found.length,
  };
}

/** Memory of the whole process tree, twenty seconds after the start and before any work. */
export const idleMemory: Bench = {
  name: 'idle-memory',
  run: async () => {
    const ours = await withServer(async ({ pid }) => {
      await settle();
      return treeMemory(pid);
    });
    const empty = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
    await settle();
    const floor = await memoryOf(empty.pid ?? 0);
    empty.kill();
    return [
      {
        what: 'Idle memory of the process tree, 20 s after start',
        ours: `${mb(ours.rss)} resident, ${mb(ours.pss)} proportional, ${ours.processes} process(es)`,
        native: `${mb(floor.rss)} (an empty \`node\`)`,
        ratio: ours.rss / floor.rss,
        target: `≤ ${TARGET_MB} MB`,
        met: ours.rss <= TARGET_MB,
      },
    ];
  },
};
