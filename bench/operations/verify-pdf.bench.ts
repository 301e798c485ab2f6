import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { pdfA, textPdf } from '../measure/inputs.js';

const bench = (name: string, what: string, input: () => Promise<string>): Bench => ({
  name,
  run: async () => {
    const file = await input();
    // veraPDF exits with 1 when a document does not conform.
    return compareWithPrograms({ what, path: 'security/verify-pdf', inputs: [file], fields: {} }, [
      {
        command: 'verapdf --format json',
        program: 'sh',
        args: ['-c', 'verapdf --format json "$0" || [ $? -eq 1 ]', file],
      },
    ]);
  },
});

/** One page: starting Java takes nearly all the time. */
export const verify1 = bench('verify-1', 'Check PDF/A-2b of 1 page', async () => pdfA(await textPdf(1)));

export const verify500 = bench('verify-500', 'Check PDF/A-2b of 500 pages', async () => pdfA(await textPdf(500)));

/** Without a declared standard, Java is not started. */
export const verifyNothing500 = bench('verify-nothing-500', 'Check 500 pages that declare no standard', () =>
  textPdf(500),
);
