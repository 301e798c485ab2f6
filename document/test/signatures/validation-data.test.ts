import { expect } from 'chai';
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { asDict, elements, entry, resolve } from '../../file/objects/index.js';
import { openPdf, pdfBytes } from '../../file/open/index.js';
import { streamBytes } from '../../file/objects/index.js';
import { putValidationData } from '../../signatures/index.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('validation data in a document', () => {
  it('goes into the security store, which keeps what it holds and holds nothing twice', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    const opened = await openPdf(await document.save());
    const { context, catalog } = opened.document;
    putValidationData(context, { certificates: [bytes('a'), bytes('b'), bytes('a')], ocsp: [bytes('o')], crls: [] });
    const again = await openPdf(pdfBytes(opened));
    putValidationData(again.document.context, {
      certificates: [bytes('b'), bytes('c')],
      ocsp: [bytes('o')],
      crls: [bytes('l')],
    });
    const last = await openPdf(pdfBytes(again));
    const store = asDict(last.document.context, entry(last.document.catalog, 'DSS'));
    const held = (key: string): (string | undefined)[] =>
      elements(last.document.context, store === undefined ? undefined : entry(store, key)).map((value) => {
        const stream = resolve(last.document.context, value);
        return stream instanceof PDFRawStream ? streamBytes(last.document.context, stream)?.toString() : undefined;
      });
    expect([held('Certs'), held('OCSPs'), held('CRLs')]).to.deep.equal([['a', 'b', 'c'], ['o'], ['l']]);
    expect(store?.get(PDFName.of('VRI'))).to.equal(undefined);
    expect(catalog.has(PDFName.of('DSS'))).to.equal(true);
  });

  it('leaves out arrays of which there is nothing', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    putValidationData(document.context, { certificates: [bytes('a')], ocsp: [], crls: [] });
    const store = asDict(document.context, entry(document.catalog, 'DSS'));
    expect(store?.keys().map(String)).to.deep.equal(['/Type', '/Certs']);
  });
});
