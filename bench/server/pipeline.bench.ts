import { readFile } from 'node:fs/promises';
import { editBytes } from '@quire/document/file/open';
import { rotatePages } from '../../plugins/general/src/functions/pages/rotate-pages.js';
import type { Bench } from '../measure/bench.js';
import { Client, multipart } from '../measure/client.js';
import { textPdf } from '../measure/inputs.js';
import { median, ms, timed, times } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const STEPS = 10;
const TARGET_MS = 15;
const RUNS = 15;

/** Ten rotations in one pipeline, compared with ten calls of the function itself and ten calls over HTTP. */
export const pipeline: Bench = {
  name: 'pipeline',
  run: async () => {
    const input = await textPdf(10);
    const bytes = new Uint8Array(await readFile(input));
    const now = new Date();
    const json = JSON.stringify({
      name: 'bench',
      pipeline: Array.from({ length: STEPS }, () => ({
        operation: '/api/v1/general/rotate-pdf',
        parameters: { angle: 90 },
      })),
    });
    const piped = await multipart([input], { json });
    const single = await multipart([input], { angle: '90' });
    return withServer(async ({ url }) => {
      const client = new Client(url);
      const pipe = (): Promise<number> => client.post('/api/v1/pipeline/handleData', piped);
      const call = (): Promise<number> => client.post('/api/v1/general/rotate-pdf', single);
      const own = (): Promise<unknown> =>
        editBytes(bytes, { mode: 'append', repair: false, modified: now }, (opened) => rotatePages(opened, 90));
      await times(5, pipe);
      await times(20, call);
      await times(50, own);
      const found = { pipe: [] as number[], direct: [] as number[], own: [] as number[] };
      for (let i = 0; i < RUNS; i++) {
        found.pipe.push(await timed(pipe));
        found.direct.push(await timed(async () => times(STEPS, call)));
        found.own.push(await timed(async () => times(STEPS, own)));
      }
      client.close();
      const overhead = (median(found.pipe) - median(found.own)) / STEPS;
      return [
        {
          what: `Pipeline of ${STEPS} rotations of a 10-page file, beyond the tool's own time`,
          ours: `${ms(overhead)} a step (whole run ${ms(median(found.pipe))})`,
          native:
            `${ms(median(found.own))} (ten calls of the function alone); ${ms(median(found.direct))} (ten direct ` +
            'HTTP calls)',
          ratio: median(found.pipe) / median(found.direct),
          target: `≤ ${TARGET_MS} ms a step`,
          met: overhead <= TARGET_MS,
        },
      ];
    });
  },
};
