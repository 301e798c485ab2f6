import { openPdf } from '@quire/document/file/open';
import { pageBox } from '@quire/document/structure/pages';
import { readAnnotations } from '@quire/document/structure/annotations';
import { readOutlines } from '@quire/document/structure/outlines';
import { expectPdf, fakeFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFRawStream, PDFString, rgb, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { everythingIn, hasProgram, runOn } from '../../../../document/test/support.js';
import { drawn } from './pixels.js';
import { fixture, operation, run, type TestFile } from './support.js';

const PATH = 'general/crop';
const cropped = async (file: TestFile, params: Record<string, unknown>): Promise<Uint8Array> => {
  const { outputs, code, detail } = await run(PATH, [file], params);
  if (outputs[0] === undefined) throw new Error(`${code}: ${detail}`);
  return outputs[0].bytes;
};
const boxesOf = async (bytes: Uint8Array): Promise<number[][]> => {
  const {
    document: { context },
    pages,
  } = await openPdf(bytes);
  return pages.map((page) => pageBox(context, page, 'MediaBox').map((value) => Math.round(value)));
};
/** A page of 200 x 200 points with a text in each quarter, plus the changes. */
async function page(change: (document: PDFDocument) => void | Promise<void> = () => undefined): Promise<TestFile> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const one = document.addPage([200, 200]);
  for (const [text, x, y] of [
    ['lowerleft', 20, 20],
    ['lowerright', 120, 20],
    ['upperleft', 20, 180],
    ['upperright', 120, 180],
  ] as const)
    one.drawText(text, { x, y, size: 12, font });
  await change(document);
  return fakeFile('page.pdf', await document.save({ useObjectStreams: false }));
}
const LOWER_LEFT = { x: 0, y: 0, width: 100, height: 100 };

describe('crop', () => {
  it("makes the rectangle the media box of every page, in the page's own coordinates", async () => {
    const file = await fixture('unusual-pages.pdf');
    for (const removeDataOutsideCrop of [true, 'off']) {
      const bytes = await cropped(file, { x: '20.5', y: 110, width: 100, height: '60', removeDataOutsideCrop });
      // The last page uses a unit of two points.
      expect(await boxesOf(bytes)).to.deep.equal([
        [21, 110, 121, 170],
        [21, 110, 121, 170],
        [21, 110, 121, 170],
        [10, 55, 60, 85],
      ]);
      const {
        document: { context },
        pages,
      } = await openPdf(bytes);
      expect(pages.every((one) => pageBox(context, one).join() === pageBox(context, one, 'MediaBox').join())).to.equal(
        true,
      );
      expect(readOutlines(context)).to.have.length(4);
    }
  });

  it('removes text, drawings and annotations outside, and keeps them on request', async () => {
    const file = await page((document) => {
      const one = document.getPage(0);
      one.node.addContentStream(document.context.register(document.context.stream('150.25 150.25 20 20 re f')));
      const { context } = document;
      const note = (x: number, text: string) =>
        context.register(
          context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [x, 50, x + 20, 70], Contents: PDFString.of(text) }),
        );
      one.node.set(PDFName.of('Annots'), context.obj([note(50, 'inner note'), note(150, 'outer note')]));
      document.getForm().createTextField('outerfield').addToPage(one, { x: 120, y: 100, width: 50, height: 20 });
    });
    const removed = await everythingIn(await cropped(file, LOWER_LEFT));
    const hidden = await everythingIn(await cropped(file, { ...LOWER_LEFT, removeDataOutsideCrop: 'false' }));
    const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex').toUpperCase();
    for (const text of ['outer note', 'outerfield', '150.25', hex('lowerright'), hex('upperleft')]) {
      expect(removed.toUpperCase(), text).not.to.include(text.toUpperCase());
      expect(hidden.toUpperCase(), text).to.include(text.toUpperCase());
    }
    expect(removed)
      .to.include('inner note')
      .and.to.match(/6C6F7765726C656674|\(lowerleft\)/i);
  });

  it('leaves no outside text for a text extractor, wherever it is', async function () {
    if (!hasProgram('pdftotext')) this.skip();
    const file = await page((document) => {
      const { context } = document;
      const one = document.getPage(0);
      const font = one.node.Resources()?.lookup(PDFName.of('Font'));
      const form = context.register(
        context.flateStream('BT /F0 10 Tf 10 30 Td (inform) Tj 120 0 Td (outform) Tj ET', {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 200, 200],
          Resources: { Font: font! },
        }),
      );
      one.node.Resources()?.set(PDFName.of('XObject'), context.obj({ Fm: form }));
      const name = [
        ...(one.node.Resources()!.lookup(PDFName.of('Font')) as never as { keys(): PDFName[] }).keys(),
      ][0]!.asString();
      context.assign(
        form,
        context.flateStream(`BT ${name} 10 Tf 10 60 Td (inform) Tj 120 0 Td (outform) Tj ET`, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 200, 200],
          Resources: { Font: font! },
        }),
      );
      one.node.addContentStream(
        context.register(
          context.stream(
            `/Fm Do BT ${name} 8 Tf 60 40 Td [(half) -200 (way)] TJ (across the edge) ' ET /Span <</ActualText ` +
              `(spoken)>> BDC BT ${name} 8 Tf 150 60 Td (x) Tj ET EMC BT 3 Tr ${name} 8 Tf 150 90 Td (unseen) Tj ` +
              'ET',
          ),
        ),
      );
    });
    const bytes = await cropped(file, LOWER_LEFT);
    // Shown again through a large window: everything that the cropped file still contains.
    const document = await PDFDocument.load(bytes);
    document.getPage(0).setMediaBox(-500, -500, 2000, 2000);
    const { text } = runOn(await document.save(), 'pdftotext', ['-raw', 'DIR/in.pdf', '-']);
    for (const word of ['lowerleft', 'inform', 'half']) expect(text).to.include(word);
    for (const word of ['lowerright', 'upperleft', 'upperright', 'outform', 'spoken', 'unseen', 'edge'])
      expect(text, word).not.to.include(word);
  });

  it('shows the same with and without removal', async () => {
    const file = await page((document) => {
      const one = document.getPage(0);
      one.drawCircle({ x: 100, y: 100, size: 40, color: rgb(1, 0, 0) });
      one.drawLine({ start: { x: 0, y: 90 }, end: { x: 200, y: 10 }, thickness: 3 });
    });
    const rectangle = { x: 30, y: 10, width: 90, height: 120 };
    const [hidden] = await drawn(await cropped(file, { ...rectangle, removeDataOutsideCrop: false }));
    const [removed] = await drawn(await cropped(file, rectangle));
    expect([removed?.width, removed?.height]).to.deep.equal([90, 120]);
    for (let x = 0; x < 90; x += 2)
      for (let y = 0; y < 120; y += 2) expect(removed?.at(x, y), `${x}, ${y}`).to.equal(hidden?.at(x, y));
    expect(removed?.at(70, 90)).to.equal('ff0000');
  });

  it('removes images outside, and the outside pixels of images that are partly inside', async () => {
    const noise = (seed: number): Buffer =>
      Buffer.from(Array.from({ length: 100 * 100 * 3 }, (_unused, i) => (i * 7919 * seed + (i % 97) * 31) & 255));
    const png = async (seed: number): Promise<Buffer> =>
      sharp(noise(seed), { raw: { width: 100, height: 100, channels: 3 } })
        .png()
        .toBuffer();
    const jpeg = await sharp(noise(3), { raw: { width: 100, height: 100, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const file = await page(async (document) => {
      const one = document.getPage(0);
      one.drawImage(await document.embedPng(await png(1)), { x: 120, y: 120, width: 60, height: 60 });
      one.drawImage(await document.embedPng(await png(2)), { x: 50, y: 0, width: 100, height: 100 });
      one.drawImage(await document.embedJpg(jpeg), { x: 0, y: 50, width: 100, height: 100 });
    });
    const bytes = await cropped(file, LOWER_LEFT);
    const { context } = (await openPdf(bytes)).document;
    const images = context
      .enumerateIndirectObjects()
      .flatMap(([, object]) =>
        object instanceof PDFRawStream && object.dict.get(PDFName.of('Subtype')) === PDFName.of('Image')
          ? [object]
          : [],
      );
    expect(images).to.have.length(2);
    const [before] = await drawn(await file.bytes());
    const [after] = await drawn(bytes);
    const differs = (a = '', b = ''): number =>
      Math.max(
        ...[0, 2, 4].map((i) =>
          Math.abs(Number.parseInt(a.slice(i, i + 2), 16) - Number.parseInt(b.slice(i, i + 2), 16)),
        ),
      );
    for (let x = 52; x < 98; x += 5) expect(after?.at(x, 20), 'kept exactly').to.equal(before?.at(x, 20));
    expect(bytes.length).to.be.lessThan((await file.bytes()).length * 0.6);
    // The same images through a window on the whole page: white where they were cut.
    const document = await PDFDocument.load(bytes);
    document.getPage(0).setMediaBox(0, 0, 200, 200);
    document.getPage(0).setCropBox(0, 0, 200, 200);
    const [whole] = await drawn(await document.save());
    for (const [x, y] of [
      [110, 20],
      [140, 80],
      [20, 120],
      [80, 140],
    ] as const)
      expect(differs(whole?.at(x, y), 'ffffff'), `${x}, ${y}`).to.be.lessThan(8);
  });

  it('crops inline images too', async () => {
    const hex = Buffer.from(Array.from({ length: 400 }, (_unused, i) => (i * 37) & 255)).toString('hex');
    const file = await page((document) => {
      document
        .getPage(0)
        .node.addContentStream(
          document.context.register(
            document.context.stream(
              `q 100 0 0 100 50 0 cm BI /W 20 /H 20 /BPC 8 /CS /G /F /AHx ID ${hex}> EI Q q 9 0 0 9 150 150 cm ` +
                `BI /W 1 /H 1 /BPC 8 /CS /G ID \x41 EI Q`,
            ),
          ),
        );
    });
    const bytes = await cropped(file, LOWER_LEFT);
    const [before] = await drawn(await file.bytes());
    const [after] = await drawn(bytes);
    for (let x = 52; x < 94; x += 5)
      for (const y of [22, 57, 92]) expect(after?.at(x, y), `${x}, ${y}`).to.equal(before?.at(x, y));
    const { context } = (await openPdf(bytes)).document;
    const [image, ...more] = context
      .enumerateIndirectObjects()
      .flatMap(([, object]) =>
        object instanceof PDFRawStream && object.dict.get(PDFName.of('Subtype')) === PDFName.of('Image')
          ? [object]
          : [],
      );
    expect([image === undefined, more.length]).to.deep.equal([false, 0]);
    expect(await everythingIn(bytes))
      .not.to.include(hex.slice(0, 40))
      .and.not.to.match(/ID \x41 EI/);
  });

  it('crops each page to its content for autoCrop, and ignores the rectangle', async () => {
    const document = await PDFDocument.create();
    document.addPage([300, 300]).drawRectangle({ x: 40, y: 60, width: 100, height: 50 });
    document.addPage([300, 200]).drawRectangle({ x: 100, y: 100, width: 10, height: 10, color: rgb(0.9, 0.9, 0.9) });
    document.addPage([120, 80]);
    document.addPage([120, 80]).drawRectangle({ x: 10, y: 10, width: 30, height: 30, color: rgb(0.99, 0.99, 0.99) });
    const file = fakeFile('some.pdf', await document.save());
    for (const params of [{ autoCrop: true }, { autoCrop: 'on', x: 5000, y: -3, width: 0, height: -2 }]) {
      expect(await boxesOf(await cropped(file, params))).to.deep.equal([
        [40, 60, 140, 110],
        [100, 100, 110, 110],
        [0, 0, 120, 80],
        [0, 0, 120, 80],
      ]);
    }
  });

  it('finds the content of rotated and cropped pages and of pages with larger units', async () => {
    const boxes = await boxesOf(await cropped(await fixture('unusual-pages.pdf'), { autoCrop: true }));
    // The frame is two points inside each page, its line one point wider.
    expect(boxes).to.deep.equal([
      [1, 101, 299, 499],
      [1, 1, 299, 199],
      [121, 151, 379, 449],
      [1, 1, 199, 149],
    ]);
    await expectPdf(await cropped(await fixture('unusual-pages.pdf'), { autoCrop: true }))
      .text(1, 'Cropped page')
      .noText(/hidden by the crop box/);
  });

  it('reveals nothing that a crop box hid', async () => {
    for (const removeDataOutsideCrop of [true, false]) {
      const [first] = await drawn(
        await cropped(await fixture('unusual-pages.pdf'), {
          x: -50,
          y: 20,
          width: 400,
          height: 500,
          removeDataOutsideCrop,
        }),
      );
      expect([first?.width, first?.height]).to.deep.equal([400, 500]);
      for (let x = 60; x < 200; x += 2) for (let y = 36; y < 56; y += 2) expect(first?.at(x, y)).to.equal('ffffff');
    }
  });

  it('keeps links, fields and tags of the content inside', async () => {
    const bytes = await cropped(await fixture('handbook.pdf'), { x: 0, y: 100, width: 300, height: 300 });
    const {
      document: { context },
      pages,
    } = await openPdf(bytes);
    expect(readAnnotations(context, pages[0]!.dict).map(({ kind }) => kind)).to.deep.equal(['Link']);
    expect(
      (await PDFDocument.load(bytes))
        .getForm()
        .getFields()
        .map((field) => field.getName()),
    ).to.deep.equal(['reader.name', 'remark']);
  });

  it('removes texts from tags that describe removed content', async () => {
    const file = await page((document) => {
      const { context } = document;
      const one = document.getPage(0);
      one.node.set(
        PDFName.of('Contents'),
        context.register(
          context.stream('/Figure <</MCID 0>> BDC 10 10 20 20 re f EMC /Figure <</MCID 1>> BDC 150 150 20 20 re f EMC'),
        ),
      );
      one.node.set(PDFName.of('StructParents'), context.obj(0));
      const [root, inner, outer] = [context.nextRef(), context.nextRef(), context.nextRef()];
      context.assign(
        root,
        context.obj({ Type: 'StructTreeRoot', K: [inner, outer], ParentTree: { Nums: [0, [inner, outer]] } }),
      );
      context.assign(
        inner,
        context.obj({
          Type: 'StructElem',
          S: 'Figure',
          P: root,
          Pg: one.ref,
          K: 0,
          Alt: PDFString.of('a picture inside'),
        }),
      );
      context.assign(
        outer,
        context.obj({
          Type: 'StructElem',
          S: 'Figure',
          P: root,
          Pg: one.ref,
          K: 1,
          Alt: PDFString.of('a picture outside'),
        }),
      );
      document.catalog.set(PDFName.of('StructTreeRoot'), root);
    });
    const all = await everythingIn(await cropped(file, LOWER_LEFT));
    expect(all).to.include('a picture inside').and.not.to.include('a picture outside');
    expect(all).to.include('/MCID 1');
  });

  it('rewrites the file when it removes and appends when it does not', () => {
    expect([operation(PATH).writes, operation(PATH).rewritesWhen]).to.deep.equal([
      'append',
      { removeDataOutsideCrop: true },
    ]);
  });

  it('refuses invalid parameters, naming the fields, and damaged files', async () => {
    const file = await fixture('two-pages.pdf');
    const fine = { x: 0, y: 0, width: 10, height: 10 };
    for (const [params, fields] of [
      [{}, ['x', 'y', 'width', 'height']],
      [{ ...fine, width: undefined }, ['width']],
      [{ ...fine, width: 0 }, ['width']],
      [{ ...fine, height: -5 }, ['height']],
      [{ ...fine, x: 'NaN' }, ['x']],
      [{ ...fine, y: 'Infinity' }, ['y']],
      [{ ...fine, autoCrop: 'perhaps' }, ['autoCrop']],
      [{ ...fine, x: 5000 }, ['x', 'y', 'width', 'height']],
      [{ ...fine, y: -10 }, ['x', 'y', 'width', 'height']],
    ] as const) {
      const refused = await run(PATH, [file], params);
      expect([refused.code, [...new Set(refused.fields)].sort()], JSON.stringify(params)).to.deep.equal([
        'INPUT_INVALID',
        [...fields].sort(),
      ]);
    }
    expect((await run(PATH, [await fixture('broken.pdf')], fine)).code).to.equal('PDF_DAMAGED');
    expect((await run(PATH, [await fixture('broken.pdf')], { autoCrop: true })).code).to.equal('PDF_DAMAGED');
  });

  it('keeps a page outside the rectangle, empty', async () => {
    const document = await PDFDocument.load(await makePdf({ pages: 1, size: [400, 400], text: 'large' }));
    document.addPage([50, 50]).drawText('small', { x: 5, y: 5, size: 10 });
    await expectPdf(
      await cropped(fakeFile('mixed.pdf', await document.save()), { x: 20, y: 300, width: 200, height: 90 }),
    )
      .pages(2)
      .text(1, 'large')
      .noText(/small/)
      .size(2, 200, 90);
  });
});
