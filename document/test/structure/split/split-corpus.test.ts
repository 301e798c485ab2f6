import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { qpdfComplaint } from '../../checks/check-pair.js';
import { checkPart, cutsOf, faultsOfPart, wholeSource } from '../../checks/check-part.js';
import { goodFiles } from '../../checks/choose.js';
import { corpus, hasProgram } from '../../support.js';

/** `npm run check:split` splits all good files; this test takes one in this number of those with several pages. */
const EACH = Number(process.env['QUIRE_SPLIT_EACH'] ?? 16);
/**
 * Readers disagree about these files: an object in an object stream that extends into the next, and an update that
 * removes the content.
 */
const READ_OTHERWISE = new Set(['pyHanko/broken-objstream4.pdf', 'qpdf/incremental-3.pdf']);

describe(
  corpus === undefined
    ? 'taking pages out of real files (skipped: no ../shared/corpus)'
    : 'taking pages out of real files',
  () => {
    before(function () {
      if (corpus === undefined) this.skip();
    });

    it('leaves no word of other pages, no orphan or dangling reference, and keeps page images', async function () {
      this.timeout(120_000);
      const files = goodFiles(corpus ?? '')
        .filter(({ pages, size, file }) => pages > 1 && pages <= 30 && size < 400_000 && !READ_OTHERWISE.has(file))
        .filter((_file, i) => i % EACH === 0);
      const faults: string[] = [];
      let parts = 0;
      for (const { file, path } of files) {
        const whole = await wholeSource(file, path);
        for (const kept of cutsOf(whole.opened.pages.length)) {
          const { bytes, faults: found } = await checkPart(whole, kept, parts % 2 === 1);
          const complaint = parts % 8 === 0 && hasProgram('qpdf') ? qpdfComplaint(bytes) : undefined;
          faults.push(
            ...[...found, ...(complaint === undefined ? [] : [`qpdf: ${complaint}`])].map(
              (fault) => `${file}, pages ${kept.join(' ')}: ${fault}`,
            ),
          );
          parts++;
        }
      }
      expect(faults).to.deep.equal([]);
      expect(parts).to.be.greaterThan(20);
    });

    it('detects words of another page, an additional page and an orphan', async function () {
      const whole = await wholeSource('PDFBOX-4417', `${corpus ?? ''}/pdfbox/PDFBOX-4417-001031.pdf`);
      const document = await PDFDocument.load(whole.bytes, { updateMetadata: false });
      document.context.register(document.context.obj({ Nobody: 'here' }));
      const faults = (await faultsOfPart(whole, [0], await document.save())).map((fault) => fault.split(':', 1)[0]);
      expect(faults).to.include('4 pages').and.to.include('words of other pages').and.to.include('orphans');
    });
  },
);
