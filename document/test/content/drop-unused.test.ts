import { expect } from 'chai';
import { type PDFDict, PDFDocument, PDFName, type PDFRef } from 'pdf-lib';
import { besideContent, dropUnusedXObjects } from '../../content/index.js';
import { asDict, entry } from '../../file/objects/index.js';
import { walkPages } from '../../structure/pages/index.js';

/** A document of pages with these contents; all share one resource dictionary of forms A, B, C and an image I. */
async function sharing(
  contents: readonly string[],
  inForms: Readonly<Record<string, string>> = {},
): Promise<{ document: PDFDocument; xobjects: PDFDict; forms: Record<string, PDFRef> }> {
  const document = await PDFDocument.create();
  const { context } = document;
  const forms = Object.fromEntries(
    ['A', 'B', 'C'].map((name) => [
      name,
      context.register(context.stream(inForms[name] ?? '', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] })),
    ]),
  );
  const image = context.register(
    context.stream('x', {
      Type: 'XObject',
      Subtype: 'Image',
      Width: 1,
      Height: 1,
      ColorSpace: 'DeviceGray',
      BitsPerComponent: 8,
    }),
  );
  const xobjects = context.obj({ ...forms, I: image }) as PDFDict;
  const resources = context.register(context.obj({ XObject: xobjects }));
  for (const content of contents) {
    const page = document.addPage([100, 100]);
    page.node.set(PDFName.of('Contents'), context.register(context.stream(content)));
    page.node.set(PDFName.of('Resources'), resources);
  }
  return { document, xobjects, forms };
}

const left = (document: PDFDocument, xobjects: PDFDict): string => {
  const pages = walkPages(document.context);
  dropUnusedXObjects(document.context, pages, besideContent(document.context, pages));
  return xobjects
    .keys()
    .map((key) => key.decodeText())
    .sort()
    .join('');
};

describe('dropping what is not drawn', () => {
  it('keeps what any of the pages that share resources draws', async () => {
    const { document, xobjects } = await sharing(['/A Do', 'q /I Do Q']);
    expect(left(document, xobjects)).to.equal('AI');
  });

  it('counts what a form draws that has no resources of its own, and names in strings as nothing', async () => {
    const { document, xobjects } = await sharing(['/A Do (/I Do) Tj'], { A: '/B Do', C: '/I Do' });
    expect(left(document, xobjects)).to.equal('AB');
  });

  it('drops within forms with resources of their own', async () => {
    const { document, forms } = await sharing(['/A Do'], { A: '/X Do' });
    const own = document.context.obj({ X: forms['B'], Y: forms['C'] }) as PDFDict;
    asDict(document.context, forms['A'])?.set(PDFName.of('Resources'), document.context.obj({ XObject: own }));
    expect(left(document, own)).to.equal('X');
  });

  it('leaves resources alone that an annotation draws with', async () => {
    const { document, xobjects } = await sharing(['']);
    const { context } = document;
    const resources = entry(document.getPage(0).node, 'Resources');
    const appearance = context.register(
      context.stream('/I Do', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9], Resources: resources! }),
    );
    document
      .getPage(0)
      .node.set(
        PDFName.of('Annots'),
        context.obj([
          context.register(context.obj({ Type: 'Annot', Subtype: 'Stamp', Rect: [0, 0, 9, 9], AP: { N: appearance } })),
        ]),
      );
    expect(left(document, xobjects)).to.equal('ABCI');
  });

  it('leaves resources of content alone that cannot be decoded', async () => {
    const { document, xobjects } = await sharing(['/A Do']);
    document
      .getPage(0)
      .node.set(
        PDFName.of('Contents'),
        document.context.register(document.context.stream('xx', { Filter: 'NoSuchDecode' })),
      );
    expect(left(document, xobjects)).to.equal('ABCI');
  });
});
