import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuiltServer } from '../../verification/corpus/built-server.js';
import type { Bench } from '../measure/bench.js';
import { Client, multipart, type MultipartBody } from '../measure/client.js';
import { benchFolder } from '../measure/inputs.js';
import { median } from '../measure/statistics.js';

const CLIENTS = 4;
const ROUNDS = 6;
const CALLS = 1500;
const TARGET_US = 1000;
const TICKS_PER_SECOND = 100;
const WHAT = 'Request counters and metrics';

interface Side {
  readonly server: BuiltServer;
  readonly client: Client;
  readonly rates: number[];
  readonly costs: number[];
}

/** Returns the CPU time of a process in milliseconds (proc(5), stat: utime and stime). */
async function processorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'latin1')).replace(/^.*\) /s, '').split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

async function start(name: string, env: Readonly<Record<string, string>>): Promise<Side> {
  const server = await BuiltServer.start({
    base: join(benchFolder, `request-metrics-${name}-${process.pid}`),
    logFile: '/dev/null',
    env,
  });
  return { server, client: new Client(server.url), rates: [], costs: [] };
}

/**
 * Makes the smallest call that is counted, measured and not cached: a pipeline of one step is validated, nothing is
 * processed.
 */
async function round(side: Side, body: MultipartBody): Promise<void> {
  const cpu = await processorMs(side.server.pid);
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let i = 0; i < CALLS / CLIENTS; i++) await side.client.post('/api/v1/pipeline/validate', body);
    }),
  );
  side.rates.push((CALLS * 1000) / (performance.now() - begun));
  side.costs.push((((await processorMs(side.server.pid)) - cpu) * 1000) / CALLS);
}

/**
 * Cost of counting and metrics per request: two servers, one with all of it on and one with all of it off, take turns.
 */
export const requestMetrics: Bench = {
  name: 'request-metrics',
  run: async () => {
    const body = await multipart([], {
      json: JSON.stringify({
        name: 'bench',
        pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }],
      }),
    });
    const sides = await Promise.all([
      start('on', { METRICS_ENABLED: 'true', MANAGEMENT_PROMETHEUS_METRICS_EXPORT_ENABLED: 'true' }),
      start('off', { METRICS_ENABLED: 'false', MANAGEMENT_PROMETHEUS_METRICS_EXPORT_ENABLED: 'false' }),
    ]);
    const [on, off] = sides;
    try {
      // Warms up both servers before the first measurement.
      for (const side of sides) await round(side, body);
      for (const side of sides) side.rates.length = side.costs.length = 0;
      for (let i = 0; i < ROUNDS; i++) for (const side of i % 2 === 0 ? [on, off] : [off, on]) await round(side, body);
    } finally {
      for (const { client, server } of sides) {
        client.close();
        await server.stop();
      }
    }
    const cost = median(on.costs) - median(off.costs);
    const rate = (side: Side): string =>
      `${median(side.rates).toFixed(0)} requests/s, ${median(side.costs).toFixed(0)} µs of processor each`;
    return [
      {
        what: `${WHAT} on, against off; ${CLIENTS} keep-alive clients, the smallest tool call`,
        ours: rate(on),
        native: `${rate(off)} (off)`,
        ratio: median(on.rates) / median(off.rates),
        target: '',
        met: undefined,
      },
      {
        what: `${WHAT}: extra time per request`,
        ours: `${Math.max(0, cost).toFixed(0)} µs of processor`,
        native: '',
        ratio: undefined,
        target: `≤ ${TARGET_US} µs`,
        met: cost <= TARGET_US,
      },
    ];
  },
};
