import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { textPdf } from '../measure/inputs.js';

const PAGES = 500;

/**
 * The text of 500 pages, without and with its structure. No native program here extracts the structure, so it is
 * compared with one that reads the characters.
 */
export const text500: Bench = {
  name: 'text-500',
  run: async () => {
    const input = await textPdf(PAGES);
    const natives = [{ command: 'pdftotext', program: 'pdftotext', args: [input, 'out.txt'] }];
    return [
      ...(await compareWithPrograms(
        { what: '500 pages to text', path: 'convert/pdf/text', fields: { outputFormat: 'txt' }, inputs: [input] },
        natives,
        { warming: 1, measured: 3 },
      )),
      ...(await compareWithPrograms(
        { what: '500 pages to Markdown', path: 'convert/pdf/markdown', fields: {}, inputs: [input] },
        natives,
        { warming: 1, measured: 3 },
      )),
    ];
  },
};
