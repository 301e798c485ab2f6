import { join } from 'node:path';
import type { Bench } from '../measure/bench.js';
import { Client, multipart } from '../measure/client.js';
import { benchFolder, textPdf } from '../measure/inputs.js';
import { lanes } from '../measure/lanes.js';
import { runProgram } from '../measure/native.js';
import { probeStatus } from '../measure/probe.js';
import { ms, percentile } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const CLIENTS = 8;
const SECONDS = 10;
const TARGET_MS = 25;

/** Rotates a 10-page file from eight clients at once, and requests the status meanwhile. */
export const rotateLoad: Bench = {
  name: 'rotate-load',
  run: async () => {
    const input = await textPdf(10);
    const body = await multipart([input], { angle: '90' });
    return withServer(async ({ url }) => {
      const client = new Client(url);
      const call = (): Promise<number> => client.post('/api/v1/general/rotate-pdf', body);
      await lanes(CLIENTS, 2, call);
      let found: number[] = [];
      const status = await probeStatus(url, async () => {
        found = await lanes(CLIENTS, SECONDS, call);
      });
      client.close();
      const native = await lanes(CLIENTS, SECONDS / 2, (lane) =>
        runProgram('qpdf', [input, '--rotate=+90', join(benchFolder, `lane${lane}.pdf`)]),
      );
      const rate = found.length / SECONDS;
      const nativeRate = native.length / (SECONDS / 2);
      const p99 = percentile(status, 0.99);
      return [
        {
          what: `Rotate a 10-page file, ${CLIENTS} keep-alive clients`,
          ours: `${rate.toFixed(0)} requests/s, p50 ${ms(percentile(found, 0.5))}, p99 ${ms(percentile(found, 0.99))}`,
          native: `${nativeRate.toFixed(0)} processes/s, p50 ${ms(percentile(native, 0.5))} (\`qpdf --rotate=+90\`)`,
          ratio: rate / nativeRate,
          target: '',
          met: undefined,
        },
        {
          what: 'GET /api/v1/info/status meanwhile (event loop delay seen from outside)',
          ours: `p50 ${ms(percentile(status, 0.5))}, p99 ${ms(p99)}, ${status.length} calls`,
          native: '',
          ratio: undefined,
          target: `p99 ≤ ${TARGET_MS} ms`,
          met: p99 <= TARGET_MS,
        },
      ];
    });
  },
};
