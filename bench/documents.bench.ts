import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench, BenchRow } from './measure/bench.js';
import { Client, multipart } from './measure/client.js';
import { benchFolder, textPdf } from './measure/inputs.js';
import { runProgram } from './measure/native.js';
import { median, ms, timed, times } from './measure/statistics.js';
import { withServer } from './measure/with-server.js';

interface Native {
  readonly command: string;
  readonly program: string;
  readonly args: readonly string[];
}

const RUNS = 5;

/** Calls an operation through HTTP, first on a new server, then warm, each warm call beside a run of every native program. */
async function compare(what: string, path: string, inputs: readonly string[], fields: Readonly<Record<string, string>>, natives: readonly Native[]): Promise<BenchRow[]> {
  const body = await multipart(inputs, fields);
  const out = join(benchFolder, 'out');
  return withServer(async ({ url }) => {
    const client = new Client(url);
    const call = (): Promise<number> => client.post(`/api/v1/${path}`, body);
    const first = await timed(call);
    await times(3, call);
    const ours: number[] = [];
    const theirs = new Map<Native, number[]>(natives.map((native) => [native, []]));
    for (let i = 0; i < RUNS; i++) {
      ours.push(await timed(call));
      for (const [native, found] of theirs) {
        await rm(out, { recursive: true, force: true });
        await mkdir(out, { recursive: true });
        found.push(await timed(() => runProgram(native.program, native.args, out)));
      }
    }
    client.close();
    await rm(out, { recursive: true, force: true });
    return [...theirs].map(([{ command }, found]) => ({
      what, ours: `${ms(median(ours))} warm, ${ms(first)} first call`, native: `${ms(median(found))} (\`${command}\`)`, ratio: median(ours) / median(found), target: '', met: undefined,
    }));
  });
}

/** Rotates 500 pages. */
export const rotate500: Bench = {
  name: 'rotate-500',
  run: async () => {
    const input = await textPdf(500);
    return compare('Rotate 500 pages', 'general/rotate-pdf', [input], { angle: '90' }, [{ command: 'qpdf --rotate=+90', program: 'qpdf', args: [input, '--rotate=+90', 'out.pdf'] }]);
  },
};

/** Splits 500 pages into 500 files. */
export const split500: Bench = {
  name: 'split-500',
  run: async () => {
    const input = await textPdf(500);
    return compare('Split 500 pages into 500 files (ours: and zip them)', 'general/split-pages', [input], { pageNumbers: 'all' }, [
      { command: 'qpdf --split-pages', program: 'qpdf', args: [input, '--split-pages', 'out-%d.pdf'] },
      { command: 'pdfseparate', program: 'pdfseparate', args: [input, 'out-%d.pdf'] },
    ]);
  },
};

/** Merges 20 files of 10 pages. */
export const merge20: Bench = {
  name: 'merge-20',
  run: async () => {
    const inputs: string[] = [];
    for (let i = 0; i < 20; i++) inputs.push(await textPdf(10, `part${i}`));
    return compare('Merge 20 files of 10 pages', 'general/merge-pdfs', inputs, {}, [
      { command: 'qpdf --empty --pages', program: 'qpdf', args: ['--empty', '--pages', ...inputs, '--', 'out.pdf'] },
      { command: 'mutool merge', program: 'mutool', args: ['merge', '-o', 'out.pdf', ...inputs] },
    ]);
  },
};

/** Draws 20 pages at 150 dpi. */
export const render20: Bench = {
  name: 'render-20',
  run: async () => {
    const input = await textPdf(20);
    return compare('Render 20 pages to PNG at 150 dpi', 'convert/pdf/img', [input], { imageFormat: 'png', singleOrMultiple: 'multiple', colorType: 'color', dpi: '150' }, [
      { command: 'pdftoppm -png -r 150', program: 'pdftoppm', args: ['-png', '-r', '150', input, 'out'] },
      { command: 'mutool draw -r 150', program: 'mutool', args: ['draw', '-r', '150', '-o', 'out-%d.png', input] },
    ]);
  },
};
