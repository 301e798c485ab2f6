import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../core/isolation/index.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { Client, multipart } from '../measure/client.js';
import { benchFolder, scanPdf } from '../measure/inputs.js';
import { runProgram } from '../measure/native.js';
import { median, timed } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const PAGES = 4;
const RUNS = 1;
const cores = availableParallelism();
const perSecond = (milliseconds: number): string => `${((PAGES * 1000) / milliseconds).toFixed(2)} pages a second`;
const has = (program: string): boolean => findProgram(program, process.env['PATH'] ?? '') !== undefined;

/** A native program that recognises the same pages. */
interface NativeProgram {
  readonly command: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly needs: string;
  readonly most?: number;
}

/** Recognises scanned pages over HTTP, a warm call next to one run of every available program. */
async function rows(
  what: string,
  file: string,
  natives: readonly NativeProgram[],
  env: Readonly<Record<string, string>>,
): Promise<BenchRow[]> {
  const body = await multipart([file], { languages: 'eng' });
  const out = join(benchFolder, 'out');
  return withServer(async ({ url }) => {
    const client = new Client(url);
    const call = (): Promise<number> => client.post('/api/v1/misc/ocr-pdf', body);
    await call();
    const ours: number[] = [];
    const theirs = new Map<NativeProgram, number[]>(natives.map((native) => [native, []]));
    for (let i = 0; i < RUNS; i++) {
      ours.push(await timed(call));
      for (const [native, found] of theirs) {
        if (!has(native.needs)) continue;
        await rm(out, { recursive: true, force: true });
        await mkdir(out, { recursive: true });
        found.push(await timed(() => runProgram(native.program, native.args, out)));
      }
    }
    client.close();
    await rm(out, { recursive: true, force: true });
    return [...theirs].map(([{ command, most }, found]): BenchRow => {
      const ratio = found.length === 0 ? undefined : median(ours) / median(found);
      return {
        what,
        ours: perSecond(median(ours)),
        native: found.length === 0 ? `\`${command}\`: not installed` : `${perSecond(median(found))} (\`${command}\`)`,
        ratio,
        target: most === undefined ? '' : `≤ ${most} of its time`,
        met: most === undefined || ratio === undefined ? undefined : ratio <= most,
      };
    });
  }, env);
}

/** The pages as images, rendered once, which are the input of Tesseract alone. */
async function drawn(file: string): Promise<string> {
  const folder = join(benchFolder, 'scan-pages');
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length < PAGES && has('pdftoppm'))
    await promisify(execFile)('pdftoppm', ['-r', '300', '-gray', file, join(folder, 'page')]);
  return folder;
}

const ocrmypdf = (file: string): NativeProgram => ({
  command: `ocrmypdf --jobs ${cores} --output-type pdf --optimize 0`,
  needs: 'ocrmypdf',
  program: 'ocrmypdf',
  args: ['--jobs', String(cores), '--output-type', 'pdf', '--optimize', '0', '-q', '-l', 'eng', file, 'out.pdf'],
});

/** With the program Tesseract, compared with Tesseract alone on rendered pages, and with OCRmyPDF. */
export const ocr: Bench = {
  name: 'ocr',
  run: async () => {
    const file = await scanPdf(PAGES);
    const bare: NativeProgram = {
      command: `tesseract (on rendered pages, ${cores} at once)`,
      needs: 'tesseract',
      program: 'sh',
      most: 1.1,
      args: [
        '-c',
        `ls "$0"/*.pgm | OMP_THREAD_LIMIT=1 xargs -P ${cores} -n 1 sh -c 'tesseract "$0" "$(basename "$0")" ` +
          `--dpi 300 -l eng hocr'`,
        await drawn(file),
      ],
    };
    return rows(`Recognise ${PAGES} scanned pages`, file, [bare, ocrmypdf(file)], {});
  },
};

/** With the npm package. */
export const ocrLibrary: Bench = {
  name: 'ocr-library',
  run: async () => {
    const file = await scanPdf(PAGES);
    return rows(`Recognise ${PAGES} scanned pages without the program`, file, [ocrmypdf(file)], {
      ENDPOINTS_GROUPSTOREMOVE: 'tesseract',
    });
  },
};
