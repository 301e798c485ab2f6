import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { imageFormats } from '../../src/functions/image-format.js';
import { type PdfToImagesOptions, pdfToImage, pdfToImages } from '../../src/functions/pdf-to-images.js';

const fixture = () => readFile(new URL('../../fixtures/three-pages.pdf', import.meta.url));
const all = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const defaults: PdfToImagesOptions = { format: 'png', colour: 'color', dpi: 72, annotations: false, select: all };

async function images(options: Partial<PdfToImagesOptions>, bytes?: Uint8Array): Promise<Uint8Array[]> {
  const made: Uint8Array[] = [];
  await pdfToImages(
    bytes ?? (await fixture()),
    { ...defaults, ...options },
    async (n, image) => void (made[n - 1] = image),
  );
  return made;
}

const sizes = async (made: readonly Uint8Array[]) =>
  Promise.all(
    made.map(async (image) => {
      const { width, height } = await sharp(image).metadata();
      return [width, height];
    }),
  );

async function page(width: number, height: number, count = 1): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let i = 0; i < count; i++) document.addPage([width, height]);
  return document.save();
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );

describe('pdfToImages', function () {
  this.timeout(60_000);

  for (const format of imageFormats) {
    it(`writes ${format} of the size of the crop box as shown`, async () => {
      const made = await images({ format });
      expect(await sizes(made)).to.deep.equal([
        [144, 216],
        [100, 200],
        [100, 150],
      ]);
      expect((await sharp(made[0]).metadata()).format).to.equal(
        { jpg: 'jpeg', tif: 'tiff' }[format as string] ?? format,
      );
    });
  }

  it('scales with the resolution and rounds down', async () => {
    expect(await sizes(await images({ dpi: 100 }, await page(100.5, 50)))).to.deep.equal([[139, 69]]);
  });

  it('gives the pages asked for in the order asked', async () => {
    expect(await sizes(await images({ select: () => [2, 0] }))).to.deep.equal([
      [100, 150],
      [144, 216],
    ]);
  });

  it('gives a large page before the small ones behind it, which are encoded sooner', async () => {
    const document = await PDFDocument.create();
    for (const side of [3000, 20, 30, 2000, 40]) document.addPage([side, side]);
    const order: [number, number | undefined][] = [];
    await pdfToImages(await document.save(), defaults, async (n, image) => {
      order.push([n, (await sharp(image).metadata()).width]);
    });
    expect(order).to.deep.equal([
      [1, 3000],
      [2, 20],
      [3, 30],
      [4, 2000],
      [5, 40],
    ]);
  });

  it('stops at the picture that cannot be stored and when it is cancelled', async () => {
    const bytes = await page(20, 20, 6);
    let stored = 0;
    const full = await pdfToImages(bytes, defaults, async () => {
      if (++stored === 2) throw new Error('the disk is full');
    }).catch((error: unknown) => String(error));
    expect([full, stored]).to.deep.equal(['Error: the disk is full', 2]);
    const abort = new AbortController();
    const taken: number[] = [];
    const cancelled = await pdfToImages(bytes, { ...defaults, signal: abort.signal }, async (n) => {
      taken.push(n);
      abort.abort(new Error('cancelled'));
    }).catch((error: unknown) => String(error));
    expect([cancelled, taken]).to.deep.equal(['Error: cancelled', [1]]);
  });

  it('writes one channel for grey, and black and white alone for blackwhite', async () => {
    const [grey] = await images({ colour: 'greyscale', select: () => [2] });
    expect((await sharp(grey).metadata()).channels).to.equal(1);
    const [binary] = await images({ colour: 'blackwhite', select: () => [0] });
    expect(new Set(await sharp(binary).raw().toBuffer())).to.deep.equal(new Set([0, 255]));
  });

  it('notes the resolution in png, jpeg and tiff', async () => {
    for (const format of ['png', 'jpeg', 'tiff'] as const)
      expect((await sharp((await images({ format, dpi: 150 }))[0]).metadata()).density, format).to.equal(150);
  });

  it('leaves form fields out unless annotations are wanted', async () => {
    const yellow = async (annotations: boolean) => {
      const data = await sharp((await images({ annotations, select: () => [0] }))[0])
        .raw()
        .toBuffer();
      return [...data.subarray((186 * 144 + 100) * 3, (186 * 144 + 100) * 3 + 3)];
    };
    expect(await yellow(false)).to.deep.equal([255, 255, 255]);
    expect(await yellow(true)).to.deep.equal([255, 255, 0]);
  });

  it('refuses pages of too many pixels before drawing one', async () => {
    let drawn = 0;
    const document = await PDFDocument.create();
    document.addPage([10, 10]);
    document.addPage([14_000, 14_000]);
    const bytes = await document.save();
    expect(await refusal(pdfToImages(bytes, { ...defaults, dpi: 300 }, async () => void drawn++))).to.equal(
      'IMAGE_TOO_LARGE',
    );
    expect(drawn).to.equal(0);
  });

  it('scales WebP down to its longest side', async () => {
    const [[width, height] = []] = await sizes(await images({ format: 'webp', dpi: 288 }, await page(5000, 100)));
    expect(width).to.equal(16_383);
    expect(height).to.be.within(326, 328);
  });

  it('refuses sides that a JPEG cannot have and says what to do', async () => {
    expect(await refusal(images({ format: 'jpg', dpi: 360 }, await page(14_000, 10)))).to.equal('INPUT_INVALID');
  });
});

describe('pdfToImage', function () {
  this.timeout(60_000);

  it('stacks pages centred, transparent beside them for png', async () => {
    const image = sharp(await pdfToImage(await fixture(), defaults));
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).to.deep.equal([144, 566, 4]);
    const at = (x: number, y: number) => [...data.subarray((y * 144 + x) * 4, (y * 144 + x) * 4 + 4)];
    expect(at(5, 300)).to.deep.equal([0, 0, 0, 0]);
    expect(at(22 + 25, 216 + 50)).to.deep.equal([0, 0, 255, 255]);
    expect(at(22 + 75, 216 + 150)).to.deep.equal([255, 255, 255, 255]);
    expect(at(22 + 25, 416 + 75)).to.deep.equal([255, 0, 0, 255]);
  });

  it('stacks on white for the other formats', async () => {
    for (const format of ['jpeg', 'gif', 'webp'] as const) {
      const { data, info } = await sharp(await pdfToImage(await fixture(), { ...defaults, format }))
        .removeAlpha()
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([info.width, info.height], format).to.deep.equal([144, 566]);
      expect(data[(300 * 144 + 5) * 3], format).to.be.greaterThan(250);
      expect(data[(266 * 144 + 47) * 3 + 2], format).to.be.greaterThan(235);
    }
  });

  it('writes a TIFF with a frame per page', async () => {
    const bytes = await pdfToImage(await fixture(), { ...defaults, format: 'tiff', dpi: 144 });
    expect((await sharp(bytes).metadata()).pages).to.equal(3);
    expect(
      await Promise.all(
        [0, 1, 2].map(
          async (frame) => (await sharp(bytes, { page: frame }).toBuffer({ resolveWithObject: true })).info.width,
        ),
      ),
    ).to.deep.equal([288, 200, 200]);
    const { data } = await sharp(bytes, { page: 2 }).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).to.deep.equal([255, 0, 0]);
  });

  it('scales a stack to what WebP can hold', async () => {
    const bytes = await pdfToImage(await page(100, 5000, 4), { ...defaults, format: 'webp' });
    expect((await sharp(bytes).metadata()).height)
      .to.be.at.most(16_383)
      .and.greaterThan(16_300);
  });
});
