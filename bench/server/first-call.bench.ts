import type { Bench, BenchRow } from '../measure/bench.js';
import { Client, multipart } from '../measure/client.js';
import { textPdf } from '../measure/inputs.js';
import { runProgram } from '../measure/native.js';
import { median, ms, times } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const SERVERS = 5;
/** The server has nothing more to do of its start. */
const SETTLE_MS = 4000;
const FIRST_CALLS = [
  { what: 'rotate one page', path: '/api/v1/general/rotate-pdf', fields: { angle: '90' }, targetMs: 120 },
  {
    what: 'draw one page at 150 dpi',
    path: '/api/v1/convert/pdf/img',
    fields: { imageFormat: 'png', singleOrMultiple: 'multiple', colorType: 'color', dpi: '150', pageNumbers: '1' },
    targetMs: 250,
  },
] as const;

/** What may have started a worker before the call. */
const BEFORE = [
  { why: ', a few seconds after the start', opened: false, env: {} },
  { why: ', later, when no worker waits', opened: false, env: { LIMITS_READYAFTERSTARTSECONDS: '0' } },
  { why: ', later, after the console was opened', opened: true, env: { LIMITS_READYAFTERSTARTSECONDS: '0' } },
  { why: ', later, with `limits.workersReady: 1`', opened: false, env: { LIMITS_WORKERSREADY: '1' } },
] as const;

/** The first call of a server that has no worker yet, and of one that has. */
export const firstCall: Bench = {
  name: 'first-call',
  run: async () => {
    const input = await textPdf(1);
    const floor = median(await times(SERVERS, () => runProgram(process.execPath, ['-e', '0'])));
    const rows: BenchRow[] = [];
    for (const { what, path, fields, targetMs } of FIRST_CALLS)
      for (const { why, opened, env } of BEFORE) {
        const body = await multipart([input], fields);
        const found: number[] = [];
        for (let i = 0; i < SERVERS; i++)
          found.push(
            await withServer(async ({ url }) => {
              await wait();
              if (opened) {
                await (await fetch(`${url}/api/v1/console/catalog`)).arrayBuffer();
                await wait();
              }
              const client = new Client(url);
              const begun = performance.now();
              await client.post(path, body).finally(() => client.close());
              return performance.now() - begun;
            }, env),
          );
        const ours = median(found);
        rows.push({
          what: `First call, ${what}${why}`,
          ours: ms(ours),
          native: `${ms(floor)} (\`node -e 0\`)`,
          ratio: ours / floor,
          target: `≤ ${targetMs} ms`,
          met: ours <= targetMs,
        });
      }
    return rows;
  },
};

const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
