import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';
import { PDFDocument, degrees } from 'pdf-lib';
import sharp from 'sharp';
import { editBytes } from '@quire/document/file/open';
import {
  type ImageWatermark,
  type TextWatermark,
  addImageWatermark,
  addTextWatermark,
} from '../../src/functions/add-watermark.js';
import { pagesAsPictures } from '../../src/functions/redaction/pages-as-pictures.js';

const style = { fontSize: 20, rotation: 0, opacity: 1, widthSpacer: 30, heightSpacer: 30 };
const text: TextWatermark = { ...style, text: 'MARK', alphabet: 'roman', colour: '#ff0000' };
const fixture = () => readFile(new URL('../../fixtures/rotated-and-cropped.pdf', import.meta.url));
const square = () =>
  sharp({ create: { width: 10, height: 10, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();

async function blank(width: number, height: number, change?: (document: PDFDocument) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([width, height]);
  change?.(document);
  return document.save();
}

async function pixels(bytes: Uint8Array, width: number, height: number): Promise<(x: number, y: number) => number[]> {
  const data = await withDocument(bytes, {}, (document) =>
    renderPage(document, 0, { width, height, annotations: false }),
  );
  return (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

const textMarked = (bytes: Uint8Array, mark: TextWatermark): Promise<Uint8Array> =>
  editBytes(bytes, {}, (opened) => addTextWatermark(opened, mark));
const imageMarked = (bytes: Uint8Array, mark: ImageWatermark): Promise<Uint8Array> =>
  editBytes(bytes, {}, (opened) => addImageWatermark(opened, mark));
const pageText = (bytes: Uint8Array, page = 0): Promise<string> =>
  withDocument(bytes, {}, (document) => document.pageText(page));
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );

/** Blue columns of one row, as the first column of each stretch. */
function starts(at: (x: number, y: number) => number[], y: number, width: number): number[] {
  const isBlue = (x: number): boolean => x >= 0 && at(x, y)[2]! > 200 && at(x, y)[0]! < 100;
  return Array.from({ length: width }, (_, x) => x).filter((x) => isBlue(x) && !isBlue(x - 1));
}

describe('addImageWatermark', function () {
  this.timeout(60_000);

  it('places images from the lower left, a spacer apart, as many as fit', async () => {
    const at = await pixels(
      await imageMarked(await blank(200, 100), { ...style, image: await square(), kind: 'png' }),
      200,
      100,
    );
    expect(starts(at, 90, 200)).to.deep.equal([0, 50, 100, 150]);
    expect(at(10, 45)).to.deep.equal([0, 0, 255]);
    expect(at(10, 65)).to.deep.equal([255, 255, 255]);
  });

  it('starts at the corner of a media box that is not at the origin, and ignores page rotation', async () => {
    const moved = await blank(200, 100, (document) => {
      document.getPage(0).setMediaBox(-40, -70, 200, 100);
      document.getPage(0).setRotation(degrees(90));
    });
    const at = await pixels(await imageMarked(moved, { ...style, image: await square(), kind: 'png' }), 100, 200);
    expect(at(10, 10)).to.deep.equal([0, 0, 255]);
    expect(at(10, 35)).to.deep.equal([255, 255, 255]);
    expect(at(60, 60)).to.deep.equal([0, 0, 255]);
  });

  it('rotates each image about its own centre', async () => {
    const at = await pixels(
      await imageMarked(await blank(60, 60), {
        ...style,
        fontSize: 40,
        rotation: 45,
        image: await square(),
        kind: 'png',
      }),
      60,
      60,
    );
    // Rotated images are resampled, so their blue is not fully saturated.
    const isBlue = (x: number, y: number): boolean => at(x, y)[0] === 0 && at(x, y)[2]! > 245;
    expect(isBlue(20, 40)).to.equal(true);
    expect(isBlue(42, 40)).to.equal(true);
    expect(at(2, 22)).to.deep.equal([255, 255, 255]);
  });

  it('applies opacity to the image', async () => {
    const at = await pixels(
      await imageMarked(await blank(60, 60), { ...style, opacity: 0.5, image: await square(), kind: 'png' }),
      60,
      60,
    );
    expect(at(10, 50)[0]).to.be.within(126, 129);
  });

  it('refuses an image that cannot be read', async () => {
    expect(
      await refusal(imageMarked(await blank(60, 60), { ...style, image: Buffer.from('MZ'), kind: 'png' })),
    ).to.equal('IMAGE_UNREADABLE');
  });
});

describe('addTextWatermark', function () {
  this.timeout(60_000);

  it('can be found as text on every page, including rotated and cropped ones', async () => {
    const bytes = await textMarked(await fixture(), { ...text, text: 'Top\\nsecret' });
    for (let page = 0; page < 3; page++)
      expect(await pageText(bytes, page), `page ${page}`)
        .to.contain('Top')
        .and.to.contain('secret')
        .and.not.to.contain('\\n');
  });

  it('draws each further line below the one before', async () => {
    const two = await withDocument(
      await textMarked(await blank(400, 200), {
        ...text,
        text: 'I\\nI',
        widthSpacer: 500,
        heightSpacer: 500,
        rotation: 0,
      }),
      {},
      (document) => renderPage(document, 0, { width: 400, height: 200, annotations: false }),
    );
    // The second line is below the origin, so it is off the page: one letter remains.
    const inked = Array.from({ length: 200 }, (_, y) => y).filter((y) =>
      Array.from({ length: 20 }, (_, x) => two[(y * 400 + x) * 4 + 1]!).some((green) => green < 128),
    );
    expect(inked.length).to.be.within(12, 18);
  });

  it('writes each alphabet so that it can be searched', async () => {
    for (const [alphabet, words] of Object.entries({
      roman: 'Entwurf',
      japanese: '社外秘',
      korean: '대외비',
      chinese: '机密',
      thai: 'ลับที่สุด',
      klingon: 'Draft',
    })) {
      expect(
        await pageText(await textMarked(await blank(500, 300), { ...text, text: words, alphabet })),
        alphabet,
      ).to.contain(words);
    }
  });

  it('uses light grey for an unreadable colour', async () => {
    const bytes = await textMarked(await blank(100, 100), { ...text, text: '██', fontSize: 40, colour: 'pinkish' });
    const at = await pixels(bytes, 100, 100);
    expect(at(20, 90)).to.deep.equal([192, 192, 192]);
  });

  it('writes font, tile and graphics state once, however many pages there are', async () => {
    const many = await blank(300, 300, (document) => {
      for (let i = 0; i < 49; i++) document.addPage([300, 300]);
    });
    const one = await textMarked(await blank(300, 300), text);
    const fifty = await textMarked(many, text);
    expect(fifty.length - one.length).to.be.lessThan(50 * 400);
  });

  it('refuses grids that no viewer could show', async () => {
    expect(
      await refusal(
        textMarked(await blank(14_000, 14_000), { ...text, text: '.', fontSize: 1, widthSpacer: 0, heightSpacer: 0 }),
      ),
    ).to.equal('INPUT_TOO_COMPLEX');
  });

  it('names characters that cannot be drawn', async () => {
    expect(await refusal(textMarked(await blank(100, 100), { ...text, text: '𒀀' }))).to.equal('INPUT_INVALID');
  });

  it('becomes part of the image when pages are converted to images', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-marked-'));
    try {
      const [source, target] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
      await writeFile(source, await textMarked(await fixture(), text));
      await pagesAsPictures(source, target, { dpi: 100 });
      const bytes = await readFile(target);
      expect(await pageText(bytes)).to.equal('');
      expect((await PDFDocument.load(bytes)).getPage(1).getRotation().angle).to.equal(90);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
