import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryOf, processTree } from '../../verification/corpus/built-server.js';
import type { Bench } from '../measure/bench.js';
import { Client, multipart } from '../measure/client.js';
import { benchFolder, photoPdf, textPdf } from '../measure/inputs.js';
import { runProgram } from '../measure/native.js';
import { peakOf, resetPeak } from '../measure/peak.js';
import { mb, median, ms, timed, times } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const TARGET_MB = 50;

/** Rotates 100 MB of photographs and measures the peak memory of the main process. */
export const upload100: Bench = {
  name: 'upload-100mb',
  run: async () => {
    const input = await photoPdf(100);
    const body = await multipart([input], { angle: '90' });
    const small = await multipart([await textPdf(10)], { angle: '90' });
    const out = join(benchFolder, 'rotated.pdf');
    const native = median(await times(3, () => runProgram('qpdf', [input, '--rotate=+90', out])));
    return withServer(async ({ url, pid }) => {
      const client = new Client(url);
      const call = (): Promise<number> => client.post('/api/v1/general/rotate-pdf', body);
      // A small call first, so that modules loaded on first use do not count.
      await client.post('/api/v1/general/rotate-pdf', small);
      const before = (await memoryOf(pid)).rss;
      await resetPeak(pid);
      const first = await timed(call);
      const growth = (await peakOf(pid)) - before;
      const found = await times(3, call);
      const growthAfter = (await peakOf(pid)) - before;
      const workers = (await processTree(pid)).filter((one) => one !== pid);
      const workerPeak = Math.max(...(await Promise.all(workers.map(peakOf))));
      client.close();
      const size = Math.round((await stat(input)).size / 1024 ** 2);
      return [
        {
          what: `Upload of ${size} MB through rotate: time`,
          ours: `${ms(median(found))} warm, ${ms(first)} first`,
          native: `${ms(native)} (\`qpdf --rotate=+90\`, from disk to disk)`,
          ratio: median(found) / native,
          target: '',
          met: undefined,
        },
        {
          what: `Upload of ${size} MB through rotate: growth of the main process's peak`,
          ours: `${mb(growth)} (after four uploads ${mb(growthAfter)}; worker peak ${mb(workerPeak)})`,
          native: '',
          ratio: undefined,
          target: `≤ ${TARGET_MB} MB`,
          met: Math.max(growth, growthAfter) <= TARGET_MB,
        },
      ];
    });
  },
};
