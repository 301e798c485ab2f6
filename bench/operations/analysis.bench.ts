import type { Bench, BenchRow } from '../measure/bench.js';
import { RUNS, WARM_UP } from '../measure/compare-qpdf.js';
import { benchFolder, photoPdf, textPdf } from '../measure/inputs.js';
import { runProgram } from '../measure/native.js';
import { median, ms, timed } from '../measure/statistics.js';
import { WarmWorker } from '../measure/warm-worker.js';

type Program = readonly [program: string, ...args: string[]];

/** Sends queries to a warm worker, each next to a run of every program that answers the same. */
async function asked(
  what: string,
  operation: string,
  input: string,
  programs: readonly Program[],
  target: number,
): Promise<BenchRow[]> {
  const worker = await WarmWorker.start();
  try {
    const call = (): Promise<number> => worker.run('analysis', `analysis/${operation}`, [input]);
    const first = await call();
    for (let i = 1; i < WARM_UP; i++) await call();
    const ours: number[] = [];
    const theirs = programs.map((): number[] => []);
    for (let i = 0; i < RUNS; i++) {
      ours.push(await call());
      for (const [at, [program, ...args]] of programs.entries())
        theirs[at]?.push(await timed(() => runProgram(program, [...args, input], benchFolder)));
    }
    return programs.map(([...command], at) => ({
      what,
      ours: `${ms(median(ours))} warm call in a worker, ${ms(first)} first`,
      native: `${ms(median(theirs[at] ?? []))} (\`${command.join(' ')}\`, whole process)`,
      ratio: median(ours) / median(theirs[at] ?? []),
      target: `≤ ${target}`,
      met: median(ours) <= target * median(theirs[at] ?? []),
    }));
  } finally {
    await worker.stop();
  }
}

/** Counts the pages of 100 MB of photographs; most of the file is not read. */
export const pageCount100: Bench = {
  name: 'page-count-100mb',
  run: async () =>
    asked(
      'Worker: page count of a file of 103 MB',
      'page-count',
      await photoPdf(100),
      [['pdfinfo'], ['qpdf', '--show-npages']],
      0.5,
    ),
};

/** Returns the size of each of 500 pages. */
export const pageSizes500: Bench = {
  name: 'page-sizes-500',
  run: async () =>
    asked(
      'Worker: size of each of 500 pages',
      'page-dimensions',
      await textPdf(500),
      [['pdfinfo', '-box', '-l', '-1']],
      1,
    ),
};
