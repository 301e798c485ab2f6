import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { textPdf } from '../measure/inputs.js';

const PAGES = 500;

/**
 * Redacts the matches of a pattern on 100 of 500 pages and verifies the result. No native tool does this, so it is
 * compared with programs that read the same text once; redaction reads the input itself, and the result with a second
 * engine.
 */
export const redact500: Bench = {
  name: 'redact-500',
  run: async () => {
    const input = await textPdf(PAGES);
    return compareWithPrograms(
      {
        what: 'Redact 100 matches of a pattern in 500 pages',
        path: 'security/auto-redact',
        fields: { listOfText: '\\btext page 1\\d\\d\\b', useRegex: 'true' },
        inputs: [input],
      },
      [
        { command: 'pdftotext', program: 'pdftotext', args: [input, 'out.txt'] },
        {
          command: 'mutool draw -F text',
          program: 'mutool',
          args: ['draw', '-q', '-F', 'text', '-o', 'out.txt', input],
        },
      ],
      { warming: 1, measured: 3 },
    );
  },
};
