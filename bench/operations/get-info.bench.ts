import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { textPdf } from '../measure/inputs.js';

const PAGES = 500;
/** The programs that together return most of the answer; `pdfinfo` and `mutool info` alone do not read text. */
const TOGETHER = ['pdfinfo -box -l -1', 'pdftotext', 'pdffonts', 'pdfimages -list'];

/** All information about 500 pages of text. */
export const info500: Bench = {
  name: 'info-500',
  run: async () => {
    const input = await textPdf(PAGES);
    const script = TOGETHER.map((command) => `${command} "$1"${command === 'pdftotext' ? ' out.txt' : ''}`).join(
      ' && ',
    );
    return compareWithPrograms(
      {
        what: 'Get all information about 500 pages, including their text',
        path: 'security/get-info-on-pdf',
        inputs: [input],
        fields: {},
      },
      [
        { command: TOGETHER.join(', '), program: 'sh', args: ['-c', script, 'sh', input] },
        { command: 'pdfinfo (no text)', program: 'pdfinfo', args: ['-box', '-l', '-1', input] },
        { command: 'mutool info (no text)', program: 'mutool', args: ['info', input] },
      ],
    );
  },
};
