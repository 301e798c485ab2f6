import type { Bench } from '../measure/bench.js';
import { runProgram } from '../measure/native.js';
import { median, ms, times } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const TARGET_MS = 1000;

/** Time from spawning the process to the first 200 of the status endpoint. */
export const start: Bench = {
  name: 'start',
  run: async () => {
    const found: number[] = [];
    for (let i = 0; i < 5; i++) found.push(await withServer(async ({ startMs }) => startMs));
    const floor = median(await times(5, () => runProgram(process.execPath, ['-e', '0'])));
    const ours = median(found);
    return [
      {
        what: 'Start: spawn to first 200',
        ours: ms(ours),
        native: `${ms(floor)} (\`node -e 0\`)`,
        ratio: ours / floor,
        target: `≤ ${TARGET_MS} ms`,
        met: ours <= TARGET_MS,
      },
    ];
  },
};
