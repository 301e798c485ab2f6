import { expect } from 'chai';
import { PDFDocument, PDFName, PDFNumber, StandardFonts } from 'pdf-lib';
import { DocumentError } from '../../../errors.js';
import { openPdf, savePdf } from '../../../file/open/index.js';
import { runQpdf } from '../../../engines/qpdf/index.js';
import { danglingReferences, everythingIn, look } from '../../support.js';

async function plain(pages = 2): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let n = 1; n <= pages; n++) document.addPage([200, 200]).drawText(`page ${n}`, { font, size: 12 });
  return document.save({ useObjectStreams: false });
}

async function encrypted(user: string): Promise<Uint8Array> {
  const { files } = await runQpdf(['--encrypt', user, 'owner', '256', '--', 'in.pdf', 'out.pdf'], {
    inputs: [{ name: 'in.pdf', bytes: await plain() }],
    outputs: ['out.pdf'],
  });
  return files['out.pdf'] ?? new Uint8Array();
}

async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    await openPdf(bytes, { field: 'stampImage' });
  } catch (error) {
    if (error instanceof DocumentError) return `${error.code} ${String(error.data['field'])}`;
    throw error;
  }
  return 'opened';
}

describe('opening a document', () => {
  it('reads a sound file with the first reader', async () => {
    const opened = await openPdf(await plain());
    expect([opened.engine, opened.decrypted, opened.pages.length, opened.objectStreams]).to.deep.equal([
      'quire',
      false,
      2,
      false,
    ]);
  });

  it('opens a file with only an owner password, and the result is not encrypted', async () => {
    const opened = await openPdf(await encrypted(''));
    expect([opened.decrypted, opened.pages.length]).to.deep.equal([true, 2]);
    const saved = await savePdf(opened.document);
    expect((await look(saved)).isEncrypted).to.equal(false);
    expect(await everythingIn(saved)).to.include(Buffer.from('page 2').toString('hex').toUpperCase());
  });

  it('asks for the password of a locked file, and opens it with the right one', async () => {
    expect(await refusal(await encrypted('secret'))).to.equal('PDF_ENCRYPTED stampImage');
    expect((await openPdf(await encrypted('secret'), { password: 'secret' })).pages).to.have.length(2);
  });

  it('is not misled by the word /Encrypt in a text', async () => {
    const document = await look(await plain());
    document.setTitle('/Encrypt');
    document.catalog.set(PDFName.of('Encrypt'), PDFNumber.of(1));
    expect((await openPdf(await document.save({ useObjectStreams: false }))).decrypted).to.equal(false);
  });

  it('repairs a file whose cross-reference table is wrong', async () => {
    const text = Buffer.from(await plain())
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7');
    expect((await openPdf(Buffer.from(text, 'latin1'))).pages).to.have.length(2);
  });

  it('rejects files that are not PDFs, naming the field', async () => {
    expect(await refusal(Buffer.from('not a document'))).to.equal('PDF_DAMAGED stampImage');
    expect(await refusal(new Uint8Array())).to.equal('PDF_DAMAGED stampImage');
    expect(await refusal((await plain()).slice(0, 60))).to.equal('PDF_DAMAGED stampImage');
  });

  it('rejects a document without pages', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    expect(await refusal(await document.save({ addDefaultPage: false }))).to.equal('PDF_NO_PAGES stampImage');
  });
});

describe('saving a document', () => {
  it('leaves out unreferenced objects and dangling references', async () => {
    const opened = await openPdf(await plain());
    const { context } = opened.document;
    context.register(context.obj({ Left: 'behind' }));
    opened.document.catalog.set(PDFName.of('Gone'), context.nextRef());
    const saved = await savePdf(opened.document);
    expect(await everythingIn(saved)).to.not.include('Left');
    expect(await danglingReferences(saved)).to.deep.equal([]);
  });

  it('writes producer and time in the information dictionary, the time only when given', async () => {
    const saved = await look(
      await savePdf((await openPdf(await plain())).document, { modified: new Date('2025-02-03T04:05:06Z') }),
    );
    expect([saved.getProducer(), saved.getModificationDate()?.toISOString()]).to.deep.equal([
      'Quire',
      '2025-02-03T04:05:06.000Z',
    ]);
    expect((await look(await savePdf((await openPdf(await plain())).document))).getModificationDate()).to.equal(
      undefined,
    );
  });

  it('returns the same bytes for the same input', async () => {
    const once = async (): Promise<Uint8Array> => savePdf((await openPdf(await plain())).document);
    expect(Buffer.from(await once()).equals(Buffer.from(await once()))).to.equal(true);
  });

  it('packs objects into streams on request', async () => {
    const packed = await savePdf((await openPdf(await plain(40))).document, { objectStreams: true });
    expect((await openPdf(packed)).objectStreams).to.equal(true);
    expect(packed.length).to.be.lessThan((await plain(40)).length);
  });
});
