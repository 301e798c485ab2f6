import { withDocument } from '@quire/document/engines/pdfium';
import { readQrCodes } from '@quire/document/images';
import { openPdf } from '@quire/document/file/open';
import { expect } from 'chai';
import { PDFName, PDFString } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import { findDividers } from '../../src/functions/scans/find-dividers.js';
import { plainJpegsOf, scanPixelsOf, scanSize, wholePageScan } from '../../src/functions/scans/whole-page-scans.js';
import { extractImageScans } from '../../src/operations/extract-image-scans.op.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codePicture, dividerText, scannedSheet } from '../pictures/dividers.js';
import { sampleOf } from '../../../../test/suites/nightly.js';
import { runOperation } from '../pictures/run-operation.js';
import { renderedPng, type ScanPage, scanPage, scanPicture } from '../pictures/scan-pages.js';

const DPI = 150;
const MAX_DPI = 300;
const numbers = (...values: readonly number[]) => ({ Decode: (d: Doc) => d.context.obj([...values]) });
type Doc = Parameters<NonNullable<ScanPage['entries']>[string]>[0];

/** Pages that show one JPEG as any decoder does. */
const plain: Readonly<Record<string, ScanPage>> = {
  'fills the page': {},
  'is grey': { colours: 'grey' },
  'is on a page turned by 90 degrees': { rotate: 90 },
  'is on a page turned by 180 degrees': { rotate: 180 },
  'is on a page turned by 270 degrees': { rotate: 270 },
  'is itself turned': { matrix: (width, height) => [0, height, -width, 0, width, 0] },
  'has margins': { matrix: (width, height) => [width * 0.8, 0, 0, height * 0.8, width * 0.1, height * 0.05] },
  'is larger than the page': { matrix: (width, height) => [width * 1.2, 0, 0, height * 1.2, width * -0.1, 0] },
  'is cut by the crop box': { crop: [0.05, 0.1, 0.9, 0.8] },
  'has other resolutions across than down': { matrix: (width, height) => [width, 0, 0, height * 0.7, 0, height * 0.3] },
};

/** Pages that only a PDF reader shows correctly. */
const special: Readonly<Record<string, ScanPage>> = {
  'is inverted': { colours: 'grey', entries: numbers(1, 0) },
  'is CMYK': { colours: 'cmyk' },
  'is stored without loss': { lossless: true },
  'is mirrored': { matrix: (width, height) => [-width, 0, 0, height, width, 0] },
  'is slanted': {
    matrix: (width, height) => [width * 0.8, width * 0.1, height * -0.1, height * 0.8, height * 0.15, 0],
  },
  'has its colours untransformed': { entries: { DecodeParms: (d) => d.context.obj({ ColorTransform: 0 }) } },
  'has a colour key': { entries: { Mask: (d) => d.context.obj([0, 30, 0, 30, 0, 30]) } },
  'has a soft mask': {
    entries: {
      SMask: (d) =>
        d.context.register(
          d.context.stream(new Uint8Array([255, 128, 128, 255]), {
            Type: 'XObject',
            Subtype: 'Image',
            Width: 2,
            Height: 2,
            BitsPerComponent: 8,
            ColorSpace: 'DeviceGray',
          }),
        ),
    },
  },
  'is partly clipped': {
    after: (page) =>
      void page.node.set(
        PDFName.of('Contents'),
        page.doc.context.register(page.doc.context.stream('q 0 0 300 300 re W n 612 0 0 460 0 0 cm /Scan-1 Do Q')),
      ),
  },
  'has an annotation above it': {
    after: (page) => {
      const { context } = page.doc;
      const note = { Type: 'Annot', Subtype: 'FreeText', Rect: [0, 0, 50, 50], Contents: PDFString.of('x') };
      page.node.set(PDFName.of('Annots'), context.obj([context.register(context.obj(note))]));
    },
  },
  'has a drawing above it': { after: (page) => page.drawRectangle({ x: 400, y: 20, width: 150, height: 120 }) },
};

/** All looks; but for the nightly run one of eleven: rendering a page and searching its pixels takes a second. */
const someLooks = (start: number): readonly (readonly [string, ScanPage])[] =>
  sampleOf(Object.entries({ ...plain, ...special }), 11, start);

async function stored(bytes: Uint8Array) {
  const jpegs = await plainJpegsOf(await openPdf(bytes));
  return withDocument(bytes, {}, (document) => wholePageScan(document, 0, jpegs[0] ?? []));
}

/** Mean difference of two images, the second scaled to the first. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const { data, info } = await sharp(one)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const fitted = sharp(other).resize(info.width, info.height, { fit: 'fill' });
  const second = await fitted.removeAlpha().toColourspace('srgb').raw().toBuffer();
  return data.reduce((sum, value, i) => sum + Math.abs(value - second[i]!), 0) / data.length;
}

describe('pages that are a single scan', () => {
  let photos: Sharp;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scans-'));
    photos = await scanPicture({
      width: 1275,
      height: 960,
      photos: [
        { x: 120, y: 150, width: 420, height: 300, angle: 0, seed: 1 },
        { x: 680, y: 200, width: 400, height: 280, angle: 12, seed: 2 },
        { x: 400, y: 580, width: 460, height: 280, angle: -7, seed: 3 },
      ],
      noise: 5,
      dust: 40,
    });
  });
  after(() => rm(folder, { recursive: true }));

  for (const [what, look] of Object.entries(plain))
    it(`decodes a JPEG that ${what}, and shows what rendering shows`, async () => {
      const bytes = await scanPage(photos, DPI, look);
      const scan = await stored(bytes);
      const pixels = await scanPixelsOf(scan!, scanSize(scan!, MAX_DPI));
      const { width, height, channels, data } = pixels!;
      const own = await sharp(data, { raw: { width, height, channels } }).png().toBuffer();
      expect(await difference(own, await renderedPng(bytes, DPI))).to.be.lessThan(2.5);
    });

  for (const [what, look] of Object.entries(special))
    it(`renders a page whose image ${what}`, async () => {
      expect(await stored(await scanPage(photos, DPI, look))).to.equal(undefined);
    });

  for (const [what, look] of someLooks(0))
    it(`finds the photos on a page whose image ${what} as on a rendering of the whole resolution`, async () => {
      const bytes = await scanPage(photos, DPI, look);
      const settings = { 'system.maxDPI': MAX_DPI };
      const found = await runOperation(extractImageScans, ['a.pdf', bytes], {}, { settings });
      const rendering = await renderedPng(bytes, MAX_DPI);
      const expected = await runOperation(extractImageScans, ['a.png', rendering], {}, { settings });
      expect(found.code).to.equal(expected.code);
      expect(found.files).to.have.length(expected.files.length);
      for (const [i, file] of found.files.entries()) {
        const [own, theirs] = [await sharp(file).metadata(), await sharp(expected.files[i]).metadata()];
        expect(own.width / theirs.width).to.be.within(0.4, 1.05);
        expect((own.width / theirs.width) * (theirs.height / own.height), `shape of photo ${i + 1}`).to.be.closeTo(
          1,
          0.03,
        );
        expect(await difference(file, expected.files[i]!), `photo ${i + 1}`).to.be.lessThan(8);
      }
    });

  it('finds what is only a pixel wide in a coarse scan, as on a rendering of the whole resolution', async () => {
    const frame =
      '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="100%" height="100%" ' +
      'fill="#fff"/><path d="M100 100 h200 v150 h-200 z" fill="none" stroke="#222" stroke-width="1.4"/></svg>';
    const picture = sharp(await sharp(Buffer.from(frame)).removeAlpha().png().toBuffer());
    const settings = { 'system.maxDPI': MAX_DPI };
    for (const lossless of [false, true]) {
      const bytes = await scanPage(picture, 50, { lossless });
      const rendering = await renderedPng(bytes, MAX_DPI);
      const expected = await runOperation(extractImageScans, ['a.png', rendering], {}, { settings });
      expect(expected.files).to.have.length(1);
      const found = await runOperation(extractImageScans, ['a.pdf', bytes], {}, { settings });
      expect(found.files, lossless ? 'rendered' : 'decoded').to.have.length(1);
    }
  });

  it('cuts photos at the resolution of the scan, and at the maximum resolution if the scan has more', async () => {
    const widths = async (dpi: number) => {
      const bytes = await scanPage(photos, dpi);
      const { files } = await runOperation(
        extractImageScans,
        ['a.pdf', bytes],
        {},
        { settings: { 'system.maxDPI': 150 } },
      );
      return Promise.all(files.map(async (file) => (await sharp(file).metadata()).width));
    };
    const [own, more] = [await widths(150), await widths(300)];
    expect(own[0]).to.be.closeTo(420, 5);
    expect(more[0]).to.be.closeTo(210, 5);
  });

  const code = async (scale: number, angle = 0): Promise<Sharp> => {
    const turned = (await codePicture(dividerText, scale)).rotate(angle, { background: '#fff' });
    const paper = sharp({ create: { width: 1275, height: 1650, channels: 3, background: '#ecebe8' } });
    return sharp(
      await paper
        .composite([{ input: await turned.png().toBuffer(), left: 200, top: 500 }])
        .png()
        .toBuffer(),
    );
  };
  const noisy = async (angle: number, noise: number, inverted = false): Promise<Sharp> =>
    sharp(await scannedSheet(dividerText, { angle, scale: 6, noise, inverted }));
  const pictures: Readonly<Record<string, () => Promise<Sharp>>> = {
    tiny: () => code(2),
    small: () => code(3, 20),
    large: () => code(12, 45),
    'upside-down': () => code(8, 180),
    noisy: () => noisy(12, 60),
    inverted: () => noisy(-8, 30, true),
    missing: () => scanPicture({ width: 900, height: 1200, photos: [] }),
  };
  for (const [start, [name, draw]] of Object.entries(pictures).entries())
    it(`finds a ${name} code on scans as on a rendering of the whole resolution`, async () => {
      const picture = await draw();
      for (const [what, look] of someLooks(start)) {
        const bytes = await scanPage(picture, DPI, look);
        const path = join(folder, 'a.pdf');
        await writeFile(path, bytes);
        const rendering = sharp(await renderedPng(bytes, MAX_DPI)).greyscale();
        const { data, info } = await rendering.raw().toBuffer({ resolveWithObject: true });
        const shown = (await readQrCodes({ width: info.width, height: info.height, data })).includes(dividerText);
        const [found] = await findDividers(path, { maxDpi: MAX_DPI });
        // A code that the page hides is also found in the image itself.
        if (shown || name === 'missing') expect(found, `image ${what}`).to.equal(shown);
      }
    });

  it('finds a code on a page of 600 dpi that is 6 mm wide', async () => {
    const [width, height] = [4960, 7016];
    const input = await (await codePicture(dividerText, 5)).png().toBuffer();
    const paper = sharp({ create: { width, height, channels: 3, background: '#f0f0f0' } });
    const path = join(folder, 'large.pdf');
    const picture = sharp(
      await paper
        .composite([{ input, left: 1000, top: 3000 }])
        .png({ compressionLevel: 1 })
        .toBuffer(),
    );
    await writeFile(path, await scanPage(picture, 600, { colours: 'grey' }));
    expect(await findDividers(path, { maxDpi: 500 })).to.deep.equal([true]);
  });
});
