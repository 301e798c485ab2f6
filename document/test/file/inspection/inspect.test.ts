import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import { DocumentError } from '../../../errors.js';
import { inspectPdf } from '../../../file/inspection/index.js';
import { runQpdf } from '../../../engines/qpdf/index.js';
import { corpusFiles, hasCorpus } from './corpus.js';

async function blank(pages: number, change: (pdf: PDFDocument) => void = () => undefined): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  for (let i = 0; i < pages; i++) pdf.addPage([100, 100]);
  change(pdf);
  return pdf.save({ useObjectStreams: false, addDefaultPage: false });
}

async function refusal(bytes: Uint8Array, limits = {}): Promise<DocumentError> {
  try {
    await inspectPdf({ bytes }, limits);
  } catch (error) {
    if (error instanceof DocumentError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

const raw = (...objects: string[]): Uint8Array =>
  Buffer.from(
    `%PDF-1.7\n${objects.map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`).join('')}` +
      `trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`,
    'latin1',
  );
const stream = (dict: string, data: Uint8Array): string =>
  `<<${dict}/Length ${data.length}>>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`;

describe('inspectPdf', () => {
  it('reports pages, encryption and signatures of a plain document', async () => {
    expect(await inspectPdf({ bytes: await blank(3) })).to.deep.equal({
      pages: 3,
      encrypted: false,
      opensWithoutPassword: true,
      signed: false,
      engine: 'quire',
    });
  });

  it('counts the existing pages, whatever /Count says', async () => {
    const claim = (count: number) =>
      blank(2, (pdf) => pdf.catalog.Pages().set(PDFName.of('Count'), pdf.context.obj(count)));
    expect((await inspectPdf({ bytes: await claim(2_000_000_000) })).pages).to.equal(2);
    expect((await inspectPdf({ bytes: await claim(1) })).pages).to.equal(2);
  });

  it('rejects a circular page tree and an empty one', async () => {
    expect((await refusal(raw('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>'))).code).to.equal(
      'PDF_NO_PAGES',
    );
    expect((await refusal(await blank(0))).code).to.equal('PDF_NO_PAGES');
  });

  it('rejects more pages than the limit, with both numbers', async () => {
    const error = await refusal(await blank(5), { maxPages: 4 });
    expect([error.code, error.data]).to.deep.equal(['INPUT_TOO_MANY_PAGES', { found: 5, limit: 4 }]);
  });

  it('rejects decompression bombs before a parser sees them', async () => {
    const zeros = deflateSync(new Uint8Array(64 * 1024 * 1024));
    const pages = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>',
    ];
    expect(
      (await refusal(raw(...pages, stream('/Filter[/FlateDecode/FlateDecode]', deflateSync(zeros))))).code,
    ).to.equal('PDF_RATIO');
    expect((await refusal(raw(...pages, stream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', zeros)))).code).to.equal(
      'PDF_RATIO',
    );
  });

  it('reports a locked document only on request, and opens it with its password', async () => {
    const { files } = await runQpdf(['--encrypt', 'open', 'own', '256', '--', 'in.pdf', 'out.pdf'], {
      inputs: [{ name: 'in.pdf', bytes: await blank(2) }],
      outputs: ['out.pdf'],
    });
    const bytes = files['out.pdf'] ?? new Uint8Array();
    expect((await refusal(bytes)).code).to.equal('PDF_ENCRYPTED');
    expect(await inspectPdf({ bytes }, { allowLocked: true })).to.include({
      opensWithoutPassword: false,
      encrypted: true,
    });
    expect(await inspectPdf({ bytes }, { password: 'open' })).to.include({ pages: 2, encrypted: true });
  });

  it('rejects files that are not PDFs', async () => {
    for (const text of ['', '%PDF-1.7\n', 'hello', '\0'.repeat(4096)])
      expect((await refusal(Buffer.from(text))).code).to.equal('PDF_DAMAGED');
  });

  it(
    'answers sound corpus files correctly and others with a code or ' +
      `pages${hasCorpus ? '' : ' (skipped: no corpus on this machine)'}`,
    async function () {
      if (!hasCorpus) this.skip();
      this.timeout(120_000);
      // qpdf opens the first with its empty owner password; the others claim pages that they do not have.
      const known = new Set([
        'pypdf/r6-user-password.pdf',
        'pdfium/named_dests_old_style.pdf',
        'pdfium/unsupported_feature.pdf',
      ]);
      const wrong: string[] = [];
      for (const [i, row] of corpusFiles().entries()) {
        // QUIRE_FULL=1 runs all of them.
        if (process.env['QUIRE_FULL'] !== '1' && i % 12 !== 0) continue;
        const found = await inspectPdf({ path: row.path }).then(
          ({ pages }) => pages,
          (error: unknown) => error,
        );
        if (typeof found !== 'number' && !(found instanceof DocumentError)) wrong.push(`${row.file}: ${String(found)}`);
        if (row.class !== 'good' || known.has(row.file)) continue;
        // Where only attachments are locked, pages can still be counted.
        const right =
          found === row.pages ||
          (row.needsPassword && found instanceof DocumentError && found.code === 'PDF_ENCRYPTED');
        if (!right) wrong.push(`${row.file}: ${String(found)} instead of ${row.pages}`);
      }
      expect(wrong, wrong.join('\n')).to.deep.equal([]);
    },
  );
});
