import type { Bench } from '../measure/bench.js';
import { compareWithPrograms, type MeasuredCall, type Native } from '../measure/compare-programs.js';
import { textPdf } from '../measure/inputs.js';

const PAGES = 500;

const bench = (
  name: string,
  call: Omit<MeasuredCall, 'inputs'>,
  natives: (input: string, other: string) => readonly Native[],
  withOther = false,
): Bench => ({
  name,
  run: async () => {
    const [input, other] = [await textPdf(PAGES), await textPdf(PAGES, 'other')];
    return compareWithPrograms(
      { ...call, inputs: [input], ...(withOther ? { second: { overlayFiles: other } } : {}) },
      natives(input, other),
    );
  },
});

/** Reverses the order of 500 pages. */
export const rearrange500 = bench(
  'rearrange-500',
  { what: 'Rearrange 500 pages, last first', path: 'general/rearrange-pages', fields: { customMode: 'REVERSE_ORDER' } },
  (input) => [
    { command: 'qpdf --pages z-1', program: 'qpdf', args: [input, '--pages', '.', 'z-1', '--', 'out.pdf'] },
    { command: 'mutool merge N-1', program: 'mutool', args: ['merge', '-o', 'out.pdf', input, `${PAGES}-1`] },
  ],
);

/** Removes every second of 500 pages. */
export const remove500 = bench(
  'remove-500',
  { what: 'Remove every second of 500 pages', path: 'general/remove-pages', fields: { pageNumbers: '2n' } },
  (input) => [
    { command: 'qpdf --pages 1-z:odd', program: 'qpdf', args: [input, '--pages', '.', '1-z:odd', '--', 'out.pdf'] },
  ],
);

/** Overlays 500 pages with another file of 500 pages. */
export const overlay500 = bench(
  'overlay-500',
  {
    what: 'Overlay 500 pages with 500 others',
    path: 'general/overlay-pdfs',
    fields: { overlayMode: 'SequentialOverlay' },
  },
  (input, other) => [
    { command: 'qpdf --overlay', program: 'qpdf', args: [input, '--overlay', other, '--', 'out.pdf'] },
  ],
  true,
);

/** Puts four of 500 pages on each sheet. */
export const nup500 = bench(
  'nup-500',
  { what: '500 pages, four on a sheet', path: 'general/multi-page-layout', fields: { pagesPerSheet: '4' } },
  (input) => [
    {
      command: 'gs -sNupControl=2x2',
      program: 'gs',
      args: ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-sNupControl=2x2', '-sOutputFile=out.pdf', input],
    },
  ],
);

/** Adds page numbers to 500 pages. */
export const numbers500 = bench(
  'numbers-500',
  { what: 'Page numbers on 500 pages', path: 'misc/add-page-numbers', fields: {} },
  (input, other) => [
    {
      command: 'qpdf --overlay (of a file that has them)',
      program: 'qpdf',
      args: [input, '--overlay', other, '--', 'out.pdf'],
    },
  ],
);

/** Compresses 500 pages of text. */
export const compress500 = bench(
  'compress-500',
  { what: 'Compress 500 pages of text, level 5', path: 'misc/compress-pdf', fields: { optimizeLevel: '5' } },
  (input) => [
    {
      command: 'qpdf --object-streams=generate --recompress-flate --compression-level=9',
      program: 'qpdf',
      args: ['--object-streams=generate', '--recompress-flate', '--compression-level=9', input, 'out.pdf'],
    },
    {
      command: 'gs -dPDFSETTINGS=/ebook',
      program: 'gs',
      args: ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', '-sOutputFile=out.pdf', input],
    },
  ],
);
