import type { Bench } from './measure/bench.js';
import { besidePrograms } from './measure/beside-programs.js';
import { textPdf } from './measure/inputs.js';

const PAGES = 500;

/**
 * The text of 500 pages, and the same with its structure, which no native program here tells: beside it stands the one
 * that reads the letters.
 */
export const text500: Bench = {
  name: 'text-500',
  run: async () => {
    const input = await textPdf(PAGES);
    const beside = [{ command: 'pdftotext', program: 'pdftotext', args: [input, 'out.txt'] }];
    return [
      ...(await besidePrograms(
        { what: '500 pages to text', path: 'convert/pdf/text', fields: { outputFormat: 'txt' }, inputs: [input] },
        beside,
        { warming: 1, measured: 3 },
      )),
      ...(await besidePrograms(
        { what: '500 pages to Markdown', path: 'convert/pdf/markdown', fields: {}, inputs: [input] },
        beside,
        { warming: 1, measured: 3 },
      )),
    ];
  },
};
