import type { Bench, BenchRow } from '../measure/bench.js';
import { compareWithQpdf, RUNS, WARM_UP } from '../measure/compare-qpdf.js';
import { photoPdf, textPdf } from '../measure/inputs.js';
import { mb, median, ms } from '../measure/statistics.js';
import { WarmWorker } from '../measure/warm-worker.js';

const core = (name: string, run: () => Promise<BenchRow[]>): Bench => ({ name, run });

export const coreRotate = core('core-rotate-500', async () => {
  const input = await textPdf(500);
  return [
    (
      await compareWithQpdf({
        what: 'Worker: rotate 500 pages',
        target: 0.5,
        call: (worker) => worker.run('general', 'general/rotate-pdf', [input], { angle: 90 }),
        native: [input, '--rotate=+90', 'out.pdf'],
      })
    ).row,
  ];
});

/** Rotates 100 MB of photographs; the worker must not hold them in memory. */
export const coreRotateLarge = core('core-rotate-100mb', async () => {
  const input = await photoPdf(100);
  const { row, peak } = await compareWithQpdf({
    what: 'Worker: rotate a file of 103 MB',
    target: 0.4,
    call: (worker) => worker.run('general', 'general/rotate-pdf', [input], { angle: 90 }),
    native: [input, '--rotate=+90', 'out.pdf'],
  });
  return [
    row,
    {
      what: 'Worker: peak resident size meanwhile',
      ours: mb(peak),
      native: '',
      ratio: undefined,
      target: '≤ 90 MB',
      met: peak <= 90,
    },
  ];
});

/** Filters a large file by its page count: the input is read, nothing is written. */
export const coreCount = core('core-count-100mb', async () => {
  const input = await photoPdf(100);
  const worker = await WarmWorker.start('functions');
  try {
    const call = async (): Promise<number> => (await worker.function('countPages', [input])).took;
    for (let i = 0; i < WARM_UP; i++) await call();
    const found: number[] = [];
    for (let i = 0; i < RUNS; i++) found.push(await call());
    return [
      {
        what: 'Page count of a file of 103 MB (`inspectPdf`)',
        ours: ms(median(found)),
        native: '',
        ratio: undefined,
        target: '≤ 5 ms',
        met: median(found) <= 5,
      },
    ];
  } finally {
    await worker.stop();
  }
});

export const coreSplit = core('core-split-500', async () => {
  const input = await textPdf(500);
  return [
    (
      await compareWithQpdf({
        what: 'Worker: split 500 pages into 500 files',
        target: 1.3,
        call: (worker) => worker.run('general', 'general/split-pages', [input], { pageNumbers: 'all' }),
        native: [input, '--split-pages', 'out-%d.pdf'],
      })
    ).row,
  ];
});

export const coreMergeLong = core('core-merge-2x500', async () => {
  const inputs = [await textPdf(500), await textPdf(500, 'other')];
  return [
    (
      await compareWithQpdf({
        what: 'Worker: merge 2 files of 500 pages',
        target: 1,
        call: (worker) => worker.run('general', 'general/merge-pdfs', inputs, merging),
        native: ['--empty', '--pages', ...inputs, '--', 'out.pdf'],
      })
    ).row,
  ];
});

export const coreMergeMany = core('core-merge-20x10', async () => {
  const inputs: string[] = [];
  for (let i = 0; i < 20; i++) inputs.push(await textPdf(10, `part${i}`));
  return [
    (
      await compareWithQpdf({
        what: 'Worker: merge 20 files of 10 pages',
        target: 1.5,
        call: (worker) => worker.run('general', 'general/merge-pdfs', inputs, merging),
        native: ['--empty', '--pages', ...inputs, '--', 'out.pdf'],
      })
    ).row,
  ];
});

const merging = { sortType: 'orderProvided', removeCertSign: true, generateToc: false };

/** Compresses the structure of 500 pages without loss. */
export const corePack = core('core-pack-500', async () => {
  const input = await textPdf(500);
  const packing = ['--object-streams=generate', '--recompress-flate', '--compression-level=9'];
  return [
    (
      await compareWithQpdf({
        what: 'Worker: pack structure and streams of 500 pages without loss',
        target: 2,
        worker: 'functions',
        call: async (worker) => (await worker.function('pack', [input])).took,
        native: [...packing, input, 'out.pdf'],
      })
    ).row,
  ];
});
