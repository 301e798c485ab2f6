import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, type PDFObject, PDFRawStream } from 'pdf-lib';
import { ContentLexer, decoded, imagesIn } from './content-support.js';
import { fakeFile } from '@quire/plugin-kit';
import { readPdf } from '@quire/document/content/text';
import { fixture, run } from './support.js';

const remove = async (name: string): Promise<Uint8Array> => {
  const { outputs, code } = await run('general/remove-image-pdf', [await fixture(name)], {});
  expect(code).to.equal(undefined);
  return outputs[0]!.bytes;
};

describe('general/remove-image-pdf', () => {
  it('removes images of pages and forms, masks and inline images, with the operators that draw them', async () => {
    const { context } = await PDFDocument.load(await remove('images.pdf'), { updateMetadata: false });
    for (const [, object] of context.enumerateIndirectObjects()) {
      if (!(object instanceof PDFRawStream) || object.dict.get(PDFName.of('Subtype')) === PDFName.of('Image')) continue;
      if (object.dict.has(PDFName.of('PatternType')) || isAppearance(object)) continue;
      const names = [...new ContentLexer(decoded(object))].map(
        ({ name, operands }) => `${name}${name === 'Do' ? JSON.stringify(operands[0]) : ''}`,
      );
      expect(names).not.to.include('BI');
      expect(names.filter((name) => name.startsWith('Do'))).to.deep.equal(
        names.includes('Tj') && names.includes('scn') ? ['Do{"text":"Fm1"}'] : [],
      );
    }
    expect(imagesIn(context), 'of the stamp and of the pattern').to.equal(2);
  });

  it('keeps text, drawings, patterns and annotations', async () => {
    const bytes = await remove('images.pdf');
    const texts = await readPdf(bytes, (document) => [document.pageText(0).trim(), document.pageText(1).trim()]);
    expect(texts).to.deep.equal(['Images on this page', 'Only text stays here']);
    const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
    const kinds = context
      .enumerateIndirectObjects()
      .map(([, object]) =>
        (object instanceof PDFDict ? object : (object as { dict?: PDFDict }).dict)
          ?.get(PDFName.of('Subtype'))
          ?.toString(),
      );
    expect(kinds).to.include('/Stamp');
  });

  it('leaves no inherited resources that would keep an image in the file', async () => {
    const document = await PDFDocument.load(await remove('images.pdf'), { updateMetadata: false });
    expect(document.catalog.Pages().has(PDFName.of('Resources'))).to.equal(false);
  });

  it('drops thumbnails and the tags of images', async () => {
    const document = await PDFDocument.create();
    const { context, catalog } = document;
    const image = context.register(
      context.stream(new Uint8Array(3), {
        Type: 'XObject',
        Subtype: 'Image',
        Width: 1,
        Height: 1,
        ColorSpace: 'DeviceRGB',
        BitsPerComponent: 8,
      }),
    );
    const page = document.addPage([100, 100]);
    page.node.set(PDFName.of('Resources'), context.obj({ XObject: { Im: image } }));
    page.node.set(PDFName.of('Contents'), context.register(context.stream('q 9 0 0 9 0 0 cm /Im Do Q')));
    page.node.set(
      PDFName.of('Thumb'),
      context.register(
        context.stream(new Uint8Array(3), { Width: 1, Height: 1, ColorSpace: 'DeviceRGB', BitsPerComponent: 8 }),
      ),
    );
    const root = context.nextRef();
    const figure = context.register(
      context.obj({ Type: 'StructElem', S: 'Figure', P: root, K: { Type: 'OBJR', Obj: image, Pg: page.ref } }),
    );
    context.assign(root, context.obj({ Type: 'StructTreeRoot', K: figure }));
    catalog.set(PDFName.of('StructTreeRoot'), root);
    const { outputs } = await run(
      'general/remove-image-pdf',
      [await fakeFile('tagged.pdf', await document.save())],
      {},
    );
    const after = await PDFDocument.load(outputs[0]!.bytes, { updateMetadata: false });
    expect(imagesIn(after.context)).to.equal(0);
    expect(after.getPage(0).node.has(PDFName.of('Thumb'))).to.equal(false);
    expect(
      after.context.enumerateIndirectObjects().some(([, object]) => object.toString().includes('/Figure')),
    ).to.equal(true);
  });

  it('returns a document without images, and refuses a damaged one', async () => {
    expect((await PDFDocument.load(await remove('two-pages.pdf'))).getPageCount()).to.equal(2);
    expect((await run('general/remove-image-pdf', [await fixture('broken.pdf')], {})).code).to.equal('PDF_DAMAGED');
  });

  it('handles forms that contain each other', async () => {
    const document = await PDFDocument.create();
    const { context } = document;
    const [a, b] = [context.nextRef(), context.nextRef()];
    const make = (other: PDFObject): PDFRawStream =>
      context.stream('/X Do', {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 9, 9],
        Resources: { XObject: { X: other } },
      } as never);
    context.assign(a, make(b));
    context.assign(b, make(a));
    const page = document.addPage([100, 100]);
    page.node.set(PDFName.of('Resources'), context.obj({ XObject: { X: a } }));
    page.node.set(PDFName.of('Contents'), context.register(context.stream('/X Do')));
    expect(
      (await run('general/remove-image-pdf', [await fakeFile('loop.pdf', await document.save())], {})).code,
    ).to.equal(undefined);
  });
});

/** Only the stamp of the fixture draws at this size. */
function isAppearance({ dict }: PDFRawStream): boolean {
  return dict.get(PDFName.of('BBox'))?.toString() === '[ 0 0 30 30 ]';
}
