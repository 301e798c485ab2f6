import { expect } from 'chai';
import { type PDFArray, PDFName, PDFString } from 'pdf-lib';
import { mergePdfs } from '../../../structure/merge/index.js';
import { openPdf } from '../../../file/open/index.js';
import { dropAttachments, readAttachments } from '../../../structure/attachments/index.js';
import { buildPdf, catalogEntry, named } from '../support.js';

describe('attachments', () => {
  const withFiles = (): Promise<Uint8Array> =>
    buildPdf((document, context) => {
      const spec = (name: string) =>
        context.register(
          context.obj({
            Type: 'Filespec',
            UF: PDFString.of(name),
            EF: { F: context.register(context.stream(`bytes of ${name}`, { Type: 'EmbeddedFile' })) },
          }),
        );
      const listed = spec('listed.txt');
      document.catalog.set(
        PDFName.of('Names'),
        context.obj({ EmbeddedFiles: { Names: [PDFString.of('key'), listed] } }),
      );
      document.catalog.set(PDFName.of('AF'), context.obj([listed, spec('associated.xml')]));
      document
        .getPage(0)
        .node.addAnnot(
          context.register(
            context.obj({ Type: 'Annot', Subtype: 'FileAttachment', Rect: [0, 0, 9, 9], FS: spec('noted.txt') }),
          ),
        );
    });

  it('are read once each, wherever they are listed', async () => {
    const { document, pages } = await openPdf(await withFiles());
    const files = readAttachments(document.context, pages);
    expect(files.map(({ name, from }) => [name, from])).to.deep.equal([
      ['listed.txt', 'document'],
      ['noted.txt', { page: 0 }],
      ['associated.xml', 'association'],
    ]);
    expect(Buffer.from(files[1]!.file!.contents).toString()).to.equal('bytes of noted.txt');
  });

  it('are merged from all inputs, including associations', async () => {
    const { bytes } = await mergePdfs([named(await withFiles(), 'a.pdf'), named(await withFiles(), 'b.pdf')]);
    const { document, pages } = await openPdf(bytes);
    expect(readAttachments(document.context, pages).map(({ name }) => name)).to.deep.equal([
      'listed.txt',
      'listed.txt',
      'noted.txt',
      'noted.txt',
      'associated.xml',
      'associated.xml',
    ]);
    expect((catalogEntry(document, 'AF') as PDFArray).size()).to.equal(4);
  });

  it('are removed with everything that shows them', async () => {
    const { document, pages } = await openPdf(await withFiles());
    expect(dropAttachments(document.context, pages)).to.equal(3);
    expect(readAttachments(document.context, pages)).to.deep.equal([]);
    expect([
      document.catalog.has(PDFName.of('AF')),
      pages[0]!.dict.has(PDFName.of('Annots')),
      dropAttachments(document.context, pages),
    ]).to.deep.equal([false, false, 0]);
  });
});
