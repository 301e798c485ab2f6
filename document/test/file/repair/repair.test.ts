import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { DocumentError } from '../../../errors.js';
import { inspectPdf } from '../../../file/inspection/index.js';
import { runQpdf, runQpdfRaw } from '../../../engines/qpdf/index.js';
import { repairPdf } from '../../../file/repair/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';

async function rich(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of ['First', 'Second']) pdf.addPage([300, 300]).drawText(text, { x: 40, y: 200, size: 24, font });
  const field = pdf.getForm().createTextField('name');
  field.setText('Ada');
  field.addToPage(pdf.getPage(0), { x: 40, y: 100, width: 120, height: 24, font });
  await pdf.attach(new TextEncoder().encode('attached'), 'note.txt', { mimeType: 'text/plain' });
  const outline = pdf.context.nextRef();
  const item = pdf.context.register(
    pdf.context.obj({ Title: 'Chapter', Parent: outline, Dest: [pdf.getPage(1).ref, 'Fit'] }),
  );
  pdf.context.assign(outline, pdf.context.obj({ Type: 'Outlines', First: item, Last: item, Count: 1 }));
  pdf.catalog.set(pdf.context.obj('Outlines'), outline);
  return pdf.save({ useObjectStreams: false });
}

const edit = (bytes: Uint8Array, change: (text: string) => string): Uint8Array =>
  Buffer.from(change(Buffer.from(bytes).toString('latin1')), 'latin1');

async function expectWhole(bytes: Uint8Array): Promise<void> {
  expect(
    (await runQpdfRaw(['--check', 'in.pdf'], { inputs: [{ name: 'in.pdf', bytes }], outputs: [] })).code,
    'qpdf --check',
  ).to.equal(0);
  expect(
    await withDocument(bytes, {}, (document) => [document.pageText(0).slice(0, 5), document.pageText(1)]),
  ).to.deep.equal(['First', 'Second']);
  const pdf = await PDFDocument.load(bytes);
  expect(pdf.getForm().getTextField('name').getText()).to.equal('Ada');
  const attachment = await withDocument(bytes, {}, ({ pdfium, handle }) => pdfium.FPDFDoc_GetAttachmentCount(handle));
  expect(attachment, 'attachments').to.equal(1);
  const bookmark = await withDocument(bytes, {}, ({ pdfium, handle }) => pdfium.FPDFBookmark_GetFirstChild(handle, 0));
  expect(bookmark, 'bookmark').not.to.equal(0);
}

describe('repairPdf', () => {
  it('keeps forms, bookmarks and attachments of a sound document', async () => {
    const { bytes, engine } = await repairPdf(await rich());
    expect(engine).to.equal('quire');
    await expectWhole(bytes);
  });

  for (const [damage, change] of [
    [
      'a table that points elsewhere',
      (text: string) =>
        text.replace(
          /\n(\d{10}) (\d{5}) n/g,
          (_all, offset: string, generation: string) =>
            `\n${String(Number(offset) + 9).padStart(10, '0')} ${generation} n`,
        ),
    ],
    ['a lost end', (text: string) => text.slice(0, text.lastIndexOf('xref'))],
    ['a lost header', (text: string) => text.slice(text.indexOf('\n\n') + 2)],
    ['a wrong start of the table', (text: string) => text.replace(/startxref\n\d+/, 'startxref\n99999999')],
  ] as const) {
    it(`repairs ${damage}`, async () => {
      const damaged = edit(await rich(), change);
      const { bytes } = await repairPdf(damaged);
      await expectWhole(bytes);
    });
  }

  it('rejects an unreadable file and a locked document', async () => {
    const code = (bytes: Uint8Array): Promise<unknown> =>
      repairPdf(bytes).then(
        () => 'repaired',
        (error: unknown) => (error instanceof DocumentError ? error.code : error),
      );
    expect(await code(Buffer.from('%PDF-1.7\n'))).to.equal('REPAIR_FAILED');
    expect(await code(Buffer.alloc(0))).to.equal('REPAIR_FAILED');
    const { files } = await runQpdf(['--encrypt', 'a', 'b', '256', '--', 'in.pdf', 'out.pdf'], {
      inputs: [{ name: 'in.pdf', bytes: await rich() }],
      outputs: ['out.pdf'],
    });
    expect(await code(files['out.pdf'] ?? new Uint8Array())).to.equal('PDF_ENCRYPTED');
  });

  it('does not lose pages to a wrong count', async () => {
    const { bytes } = await repairPdf(edit(await rich(), (text) => text.replace('/Count 2', '/Count 7')));
    expect((await inspectPdf({ bytes })).pages).to.equal(2);
  });
});
