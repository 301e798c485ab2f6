import { expect } from 'chai';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import { DocumentError } from '../../../errors.js';
import { loadPdfium, resavePdf, withDocument } from '../../../engines/pdfium/index.js';
import { isTrap } from '../../../engines/pdfium/runtime.js';
import { runQpdf } from '../../../engines/qpdf/index.js';

async function twoPages(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  pdf.addPage([300, 400]).drawText('One', { x: 20, y: 300, size: 20, font });
  const second = pdf.addPage([200, 100]);
  second.drawText('Two', { x: 20, y: 50, size: 20, font });
  pdf.catalog.Pages().set(PDFName.of('Rotate'), pdf.context.obj(90));
  return pdf.save();
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof DocumentError ? error.code : String(error);
  }
  return 'no error';
}

describe('PDFium', () => {
  it('reads pages, text, sizes and inherited rotation', async () => {
    const facts = await withDocument(await twoPages(), {}, (document) => ({
      pages: document.reachablePages(),
      texts: [document.pageText(0), document.pageText(1)],
      box: document.mediaBox(0),
      shown: document.pageGeometry(0),
      encrypted: document.encrypted,
    }));
    expect(facts).to.deep.equal({
      pages: 2,
      texts: ['One', 'Two'],
      box: { width: 300, height: 400 },
      shown: { width: 400, height: 300, rotation: 90 },
      encrypted: false,
    });
  });

  it('asks for the password of a locked document and removes its encryption with it', async () => {
    const { files } = await runQpdf(['--encrypt', 'open', 'own', '256', '--', 'in.pdf', 'out.pdf'], {
      inputs: [{ name: 'in.pdf', bytes: await twoPages() }],
      outputs: ['out.pdf'],
    });
    const locked = files['out.pdf'] ?? new Uint8Array();
    expect(await codeOf(resavePdf(locked))).to.equal('PDF_ENCRYPTED');
    expect(await codeOf(resavePdf(locked, { password: 'wrong' }))).to.equal('PDF_ENCRYPTED');
    const free = await resavePdf(locked, { password: 'open', removeSecurity: true });
    expect(await withDocument(free, {}, (document) => [document.encrypted, document.pageCount])).to.deep.equal([
      false,
      2,
    ]);
  });

  it('reports a file that is not a PDF as damaged', async () => {
    expect(await codeOf(withDocument(new Uint8Array(), {}, () => 0))).to.equal('PDF_DAMAGED');
    expect(await codeOf(withDocument(new TextEncoder().encode('hello'), {}, () => 0))).to.equal('PDF_DAMAGED');
  });

  it('restarts after a trap, which is reported as a damaged document', async () => {
    const before = await loadPdfium();
    const bytes = await twoPages();
    const trap = (): never => {
      throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
    };
    expect(await codeOf(withDocument(bytes, {}, trap))).to.equal('PDF_DAMAGED');
    expect(await loadPdfium()).not.to.equal(before);
    expect(await withDocument(bytes, {}, (document) => document.pageCount)).to.equal(2);
  });

  it('passes errors of the caller through and keeps the instance', async () => {
    const before = await loadPdfium();
    const bytes = await twoPages();
    expect(await codeOf(withDocument(bytes, {}, () => Promise.reject(new Error('mine'))))).to.equal('Error: mine');
    expect(await loadPdfium()).to.equal(before);
    expect(isTrap(new Error('mine'))).to.equal(false);
  });
});
