import { expect } from 'chai';
import { PDFArray, PDFDocument, PDFName, rgb } from 'pdf-lib';
import { PageOverlay, parseHexColour, stateBalance } from '../../../content/drawing/index.js';
import { walkPages } from '../../../structure/pages/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { renderPage } from '../../../engines/rendering/index.js';

const balance = (content: string) => stateBalance(Buffer.from(content, 'latin1'));

/** A page with this content, and a red square of 10 points painted over its lower left corner. */
async function painted(content: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { node } = document.addPage([100, 100]);
  const { context } = document;
  node.set(PDFName.of('Contents'), context.register(context.stream(content)));
  const form = context.register(
    context.stream('1 0 0 rg 0 0 10 10 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 100, 100] }),
  );
  new PageOverlay(context).add(walkPages(context)[0]!, form);
  return document.save();
}

async function redPixels(bytes: Uint8Array): Promise<number[]> {
  const pixels = await withDocument(bytes, {}, (document) =>
    renderPage(document, 0, { width: 100, height: 100, annotations: false }),
  );
  const found: number[] = [];
  for (let i = 0; i < 10_000; i++) if (pixels[i * 4] === 255 && pixels[i * 4 + 1] === 0) found.push(i);
  return found;
}

describe('PageOverlay', () => {
  const corner = Array.from({ length: 100 }, (_, i) => (90 + Math.floor(i / 10)) * 100 + (i % 10));

  for (const [title, content] of Object.entries({
    'after plain content': '0 0 1 rg 50 50 5 5 re f',
    'after content that leaves its matrix changed': '2 0 0 2 30 30 cm',
    'after content that leaves a clip': '50 50 5 5 re W n',
    'after content with states left open': 'q 2 0 0 2 30 30 cm q 3 0 0 3 1 1 cm',
    'after content that closes more states than it opened': 'Q Q 2 0 0 2 30 30 cm',
  })) {
    it(`paints in page space ${title}`, async () => {
      expect(await redPixels(await painted(content))).to.deep.equal(corner);
    });
  }

  it('shares its streams between pages and leaves the streams of the page as they are', async () => {
    const document = await PDFDocument.create();
    const { context } = document;
    for (let i = 0; i < 3; i++) document.addPage([100, 100]).drawRectangle({ color: rgb(0, 0, 1) });
    await document.flush();
    const pages = walkPages(context);
    const before = pages.map((page) => (context.lookup(page.dict.get(PDFName.of('Contents'))) as PDFArray).get(0));
    const form = context.register(context.stream('', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1] }));
    const overlay = new PageOverlay(context);
    for (const page of pages) overlay.add(page, form);
    const contents = pages.map((page) => page.dict.lookup(PDFName.of('Contents'), PDFArray).asArray());
    expect(new Set(contents.map((list) => list[0])).size).to.equal(1);
    expect(new Set(contents.map((list) => list.at(-1))).size).to.equal(1);
    expect(contents.map((list) => list[1])).to.deep.equal(before);
  });
});

describe('stateBalance', () => {
  it('counts states outside strings, names, comments and inline images', () => {
    expect(balance('q Q q')).to.deep.equal({ net: 1, underflow: 0 });
    expect(balance('(q \\) (Q) q) Tj /q gs % q Q\n<51> Tj')).to.deep.equal({ net: 0, underflow: 0 });
    expect(balance('BI /W 1 ID \nq Q Q q\nEI Q q')).to.deep.equal({ net: 0, underflow: 1 });
  });
});

describe('parseHexColour', () => {
  it('reads long and short forms with or without the sign, and nothing else', () => {
    expect(parseHexColour('#ff0000')).to.deep.equal({ red: 1, green: 0, blue: 0 });
    expect(parseHexColour('0f0')).to.deep.equal({ red: 0, green: 1, blue: 0 });
    expect(parseHexColour('red')).to.equal(undefined);
    expect(parseHexColour('#ff00')).to.equal(undefined);
  });
});
