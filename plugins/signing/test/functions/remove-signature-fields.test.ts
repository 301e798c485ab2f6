import { readFile } from 'node:fs/promises';
import { editBytes } from '@quire/document/file/open';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { removeSignatureFields } from '../../src/functions/remove-signature-fields.js';
import { everythingIn } from '../../../../document/test/support.js';

async function unsigned(signed: Uint8Array): Promise<{ bytes: Uint8Array; removed: number }> {
  let removed = 0;
  const bytes = await editBytes(signed, {}, (opened) => {
    removed = removeSignatureFields(opened);
  });
  return { bytes, removed };
}

const fixture = (name: string): Promise<Uint8Array> => readFile(new URL(`../../fixtures/${name}`, import.meta.url));
const open = (bytes: Uint8Array): Promise<PDFDocument> => PDFDocument.load(bytes, { updateMetadata: false });

describe('removing signatures', () => {
  it('removes the field, keeps what it shows on the page, and leaves other fields alone', async () => {
    const { bytes, removed } = await unsigned(await fixture('signed.pdf'));
    const document = await open(bytes);
    expect(removed).to.equal(1);
    expect(
      document
        .getForm()
        .getFields()
        .map((field) => field.getName()),
    ).to.deep.equal(['name']);
    expect(document.getPage(0).node.Annots()?.size()).to.equal(1);
    expect(
      document.getPage(0).node.Resources()?.lookup(PDFName.of('XObject'), PDFDict).values(),
      'what the field showed',
    ).to.have.length(1);
    expect(await everythingIn(bytes))
      .to.not.include('/ByteRange')
      .and.to.not.include('/SigFlags');
  });

  it('removes signature fields that stand under other fields, and the form when nothing is left in it', async () => {
    const document = await open(await fixture('plain.pdf'));
    const { context, catalog } = document;
    const parent = context.nextRef();
    const page = document.getPage(0);
    const child = context.register(
      context.obj({
        Type: 'Annot',
        Subtype: 'Widget',
        FT: 'Sig',
        T: PDFString.of('inner'),
        Parent: parent,
        Rect: [0, 0, 0, 0],
        P: page.ref,
      }),
    );
    context.assign(parent, context.obj({ T: PDFString.of('outer'), Kids: [child] }));
    page.node.addAnnot(child);
    catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [parent], SigFlags: 3 }));
    catalog.set(PDFName.of('Perms'), context.obj({ DocMDP: child }));
    const { bytes, removed } = await unsigned(await document.save());
    const result = await open(bytes);
    expect(removed).to.equal(1);
    expect([
      result.catalog.has(PDFName.of('AcroForm')),
      result.catalog.has(PDFName.of('Perms')),
      result.getPage(0).node.Annots(),
    ]).to.deep.equal([false, false, undefined]);
  });

  it('answers a document without signatures too', async () => {
    const { bytes, removed } = await unsigned(await fixture('plain.pdf'));
    expect([removed, (await open(bytes)).getPageCount()]).to.deep.equal([0, 1]);
  });
});
