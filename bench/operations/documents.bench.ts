import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { textPdf } from '../measure/inputs.js';

export const rotate500: Bench = {
  name: 'rotate-500',
  run: async () => {
    const input = await textPdf(500);
    return compareWithPrograms(
      { what: 'Rotate 500 pages', path: 'general/rotate-pdf', inputs: [input], fields: { angle: '90' } },
      [{ command: 'qpdf --rotate=+90', program: 'qpdf', args: [input, '--rotate=+90', 'out.pdf'] }],
    );
  },
};

export const split500: Bench = {
  name: 'split-500',
  run: async () => {
    const input = await textPdf(500);
    return compareWithPrograms(
      {
        what: 'Split 500 pages into 500 files (ours: and zip them)',
        path: 'general/split-pages',
        inputs: [input],
        fields: { pageNumbers: 'all' },
      },
      [
        { command: 'qpdf --split-pages', program: 'qpdf', args: [input, '--split-pages', 'out-%d.pdf'] },
        { command: 'pdfseparate', program: 'pdfseparate', args: [input, 'out-%d.pdf'] },
      ],
    );
  },
};

export const merge20: Bench = {
  name: 'merge-20',
  run: async () => {
    const inputs: string[] = [];
    for (let i = 0; i < 20; i++) inputs.push(await textPdf(10, `part${i}`));
    return compareWithPrograms(
      { what: 'Merge 20 files of 10 pages', path: 'general/merge-pdfs', inputs: inputs, fields: {} },
      [
        { command: 'qpdf --empty --pages', program: 'qpdf', args: ['--empty', '--pages', ...inputs, '--', 'out.pdf'] },
        { command: 'mutool merge', program: 'mutool', args: ['merge', '-o', 'out.pdf', ...inputs] },
      ],
    );
  },
};

/** Renders 20 pages at 150 dpi. */
export const render20: Bench = {
  name: 'render-20',
  run: async () => {
    const input = await textPdf(20);
    return compareWithPrograms(
      {
        what: 'Render 20 pages to PNG at 150 dpi',
        path: 'convert/pdf/img',
        inputs: [input],
        fields: { imageFormat: 'png', singleOrMultiple: 'multiple', colorType: 'color', dpi: '150' },
      },
      [
        { command: 'pdftoppm -png -r 150', program: 'pdftoppm', args: ['-png', '-r', '150', input, 'out'] },
        { command: 'mutool draw -r 150', program: 'mutool', args: ['draw', '-r', '150', '-o', 'out-%d.png', input] },
      ],
    );
  },
};
