import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { textPdf } from '../measure/inputs.js';

/** 100 pages to PostScript, compared with Ghostscript alone. */
export const vector100: Bench = {
  name: 'vector-100',
  async run() {
    const input = await textPdf(100);
    return compareWithPrograms(
      { what: '100 pages to PostScript', path: 'convert/pdf/vector', inputs: [input], fields: { outputFormat: 'ps' } },
      [
        {
          command: 'gs -sDEVICE=ps2write',
          program: 'gs',
          args: ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=ps2write', '-o', 'out.ps', '-f', input],
        },
      ],
    );
  },
};

/** 20 pages to PDF/A-2b with validation, compared with Ghostscript followed by veraPDF. */
export const pdfa20: Bench = {
  name: 'pdfa-20',
  async run() {
    const input = await textPdf(20);
    const script =
      'gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -dPDFA=2 -dPDFACompatibilityPolicy=1 ' +
      '-sColorConversionStrategy=RGB -o out.pdf -f "$1" && verapdf --format text --loglevel 0 --flavour 2b ' +
      'out.pdf || true';
    return compareWithPrograms(
      { what: '20 pages to PDF/A-2b, checked', path: 'convert/pdf/pdfa', inputs: [input], fields: {} },
      [{ command: 'gs -dPDFA=2, then verapdf', program: 'sh', args: ['-c', script, 'sh', input] }],
    );
  },
};
