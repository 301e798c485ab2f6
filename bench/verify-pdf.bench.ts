import type { Bench } from './measure/bench.js';
import { besidePrograms } from './measure/beside-programs.js';
import { pdfA, textPdf } from './measure/inputs.js';

const bench = (name: string, what: string, input: () => Promise<string>): Bench => ({
  name,
  run: async () => {
    const file = await input();
    // It ends with 1 when a document is not what it is checked against.
    return besidePrograms({ what, path: 'security/verify-pdf', inputs: [file], fields: {} }, [
      {
        command: 'verapdf --format json',
        program: 'sh',
        args: ['-c', 'verapdf --format json "$0" || [ $? -eq 1 ]', file],
      },
    ]);
  },
});

/** One page, where the start of Java is all the time. */
export const verify1 = bench('verify-1', 'Check PDF/A-2b of 1 page', async () => pdfA(await textPdf(1)));

/** 500 pages that are PDF/A. */
export const verify500 = bench('verify-500', 'Check PDF/A-2b of 500 pages', async () => pdfA(await textPdf(500)));

/** 500 pages that declare nothing, which takes no Java. */
export const verifyNothing500 = bench('verify-nothing-500', 'Check 500 pages that declare no standard', () =>
  textPdf(500),
);
