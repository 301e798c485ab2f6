import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf, processTree } from '../../verification/corpus/built-server.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { Client, multipart, type MultipartBody } from '../measure/client.js';
import { benchFolder, photoPdf, scanPdf, textPdf } from '../measure/inputs.js';
import { mb } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const LANES = 6;
const LOAD_MS = 60_000;
const TARGET_MB = 200;
/** Seconds after the end of the load. */
const LOOKS = [0, 15, 75, 150, 300] as const;

type Call = readonly [path: string, body: MultipartBody];

/** Calls of all kinds: in workers, in the browser, in LibreOffice, with text recognition, as jobs. */
async function mixedCalls(): Promise<readonly Call[]> {
  const [text, large, scan] = [await textPdf(10), await photoPdf(20), await scanPdf(1)];
  const [page, letter] = [join(benchFolder, 'page.html'), join(benchFolder, 'letter.txt')];
  await writeFile(page, `<h1>Report</h1>${'<p>All is well that ends well.</p>'.repeat(200)}`);
  await writeFile(letter, 'All is well that ends well.\n'.repeat(500));
  const rotate = await multipart([text], { angle: '90' });
  return [
    ['/api/v1/general/rotate-pdf', rotate],
    ['/api/v1/general/rotate-pdf?async=true', rotate],
    ['/api/v1/general/merge-pdfs', await multipart([text, large], {})],
    ['/api/v1/misc/compress-pdf', await multipart([text], { optimizeLevel: '5' })],
    ['/api/v1/convert/html/pdf', await multipart([page], {})],
    ['/api/v1/convert/file/pdf', await multipart([letter], {})],
    ['/api/v1/convert/pdf/img', await multipart([text], { imageFormat: 'png', singleOrMultiple: 'multiple' })],
    ['/api/v1/misc/ocr-pdf', await multipart([scan], { languages: 'eng' })],
  ];
}

/** Calls everything in turn from several clients; returns how many calls had a result, and how many an error. */
async function load(url: string): Promise<{ good: number; failed: number }> {
  const calls = await mixedCalls();
  const client = new Client(url);
  const end = performance.now() + LOAD_MS;
  let [good, failed, next] = [0, 0, 0];
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      const [path, body] = calls[next++ % calls.length] as Call;
      const status = await client.status(path, body);
      if (status === 200) good += 1;
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  client.close();
  return { good, failed };
}

async function resident(pid: number): Promise<readonly number[]> {
  return (await Promise.all((await processTree(pid)).map(memoryOf))).map(({ rss }) => rss);
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

/** Memory of the whole process tree at some moments after a minute of mixed load. */
export const memoryAfterLoad: Bench = {
  name: 'memory-after-load',
  run: () =>
    withServer(async ({ url, pid }) => {
      await delay(5000);
      const before = sum(await resident(pid));
      const { good, failed } = await load(url);
      const started = performance.now();
      const rows: BenchRow[] = [];
      for (const [at, seconds] of LOOKS.entries()) {
        await delay(Math.max(0, started + seconds * 1000 - performance.now()));
        const now = await resident(pid);
        const last = at === LOOKS.length - 1;
        rows.push({
          what: `Memory of all processes ${seconds} s after a minute of mixed load (${good} calls, ${failed} refused)`,
          ours: `${mb(sum(now))} in ${now.length} process(es), largest ${mb(Math.max(...now))}`,
          native: `${mb(before)} before the load`,
          ratio: sum(now) / before,
          target: last ? `≤ ${TARGET_MB} MB` : '',
          met: last ? sum(now) <= TARGET_MB : undefined,
        });
      }
      return rows;
    }),
};
