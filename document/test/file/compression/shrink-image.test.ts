import { expect } from 'chai';
import { type PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import sharp from 'sharp';
import { shrinkImage } from '../../../file/compression/shrink-image.js';
import { decodeImage } from '../../../images/index.js';

const [width, height] = [900, 700];

/** Smooth colours, which resampling hardly changes. */
function samples(channels: number, bytes = 1): Buffer {
  const out = Buffer.alloc(width * height * channels * bytes);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = [(x * 255) / width, (y * 255) / height, 200 - (x * 100) / width, (y * 60) / height];
      for (let k = 0; k < channels; k++) out[((y * width + x) * channels + k) * bytes] = value[k] ?? 0;
    }
  }
  return out;
}

async function jpeg(channels: 3 | 4): Promise<Buffer> {
  const image = sharp(samples(3), { raw: { width, height, channels: 3 } });
  return (channels === 4 ? image.toColourspace('cmyk') : image).jpeg({ quality: 97 }).toBuffer();
}

/** Removes the Adobe marker, with which four components are stored inverted. */
function withoutAdobe(bytes: Buffer): Buffer {
  const at = bytes.indexOf('Adobe') - 4;
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 2 + bytes.readUInt16BE(at + 2))]);
}

const INVERTED = [1, 0, 1, 0, 1, 0, 1, 0];

describe('recompressing an image', () => {
  const cases: Readonly<Record<string, () => Promise<readonly [entries: object, data: Uint8Array]>>> = {
    'four inks with the Adobe marker': async () => [
      { ColorSpace: 'DeviceCMYK', Filter: 'DCTDecode', Decode: INVERTED },
      await jpeg(4),
    ],
    'four inks without it': async () => [
      { ColorSpace: 'DeviceCMYK', Filter: 'DCTDecode' },
      withoutAdobe(await jpeg(4)),
    ],
    'samples that /Decode turns about': async () => [
      { ColorSpace: 'DeviceRGB', Filter: 'DCTDecode', Decode: [1, 0, 0, 1, 1, 0] },
      await jpeg(3),
    ],
    'sixteen bits a component': async () => [{ ColorSpace: 'DeviceRGB', BitsPerComponent: 16 }, samples(3, 2)],
  };
  for (const [title, make] of Object.entries(cases)) {
    for (const grayscale of [false, true]) {
      it(`keeps its appearance${grayscale ? ', in grey' : ''}: ${title}`, async () => {
        const { context } = await PDFDocument.create();
        const [entries, data] = await make();
        const image = PDFRawStream.of(
          context.obj({
            Type: 'XObject',
            Subtype: 'Image',
            Width: width,
            Height: height,
            BitsPerComponent: 8,
            ...entries,
          }) as PDFDict,
          data,
        );
        const smaller = await shrinkImage(context, image, { level: 6, grayscale });
        if (smaller === undefined) return expect.fail('nothing came of it');
        expect(smaller.contents.length).to.be.lessThan(data.length);
        const [before, after] = [await shown(context, image, grayscale), await shown(context, smaller, grayscale)];
        expect(
          before.reduce((sum, value, i) => sum + Math.abs(value - (after[i] ?? 0)), 0) / before.length,
          'mean difference of colours',
        ).to.be.lessThan(grayscale ? 9 : 3);
        const space = smaller.dict.get(PDFName.of('ColorSpace'));
        if (grayscale) expect(space).to.equal(PDFName.of('DeviceGray'));
      });
    }
  }

  it('recompresses a small lossless photograph at the strong levels only', async () => {
    const { context } = await PDFDocument.create();
    const noisy = samples(3)
      .subarray(0, 300 * 300 * 3)
      .map((value, i) => value + Math.floor(((Math.sin(i * 12.9898) * 43_758.5453) % 1) * 8));
    const image = PDFRawStream.of(
      context.obj({
        Type: 'XObject',
        Subtype: 'Image',
        Width: 300,
        Height: 300,
        BitsPerComponent: 8,
        ColorSpace: 'DeviceRGB',
      }) as PDFDict,
      noisy,
    );
    expect(await shrinkImage(context, image, { level: 5, grayscale: false })).to.equal(undefined);
    const smaller = await shrinkImage(context, image, { level: 6, grayscale: false });
    expect(smaller?.dict.get(PDFName.of('Filter'))).to.equal(PDFName.of('DCTDecode'));
    expect(smaller?.dict.get(PDFName.of('Width'))?.toString()).to.equal('300');
  });

  it('keeps a small drawing of few colours sharp', async () => {
    const { context } = await PDFDocument.create();
    const drawing = Buffer.alloc(300 * 300 * 3, 255).map((_, i) => (Math.floor(i / 900) % 50 < 3 ? 0 : 255));
    const image = PDFRawStream.of(
      context.obj({
        Type: 'XObject',
        Subtype: 'Image',
        Width: 300,
        Height: 300,
        BitsPerComponent: 8,
        ColorSpace: 'DeviceRGB',
      }) as PDFDict,
      drawing,
    );
    expect(await shrinkImage(context, image, { level: 9, grayscale: false })).to.equal(undefined);
  });
});

/** A small rendering of the image. */
async function shown(context: PDFDocument['context'], image: PDFRawStream, grey: boolean): Promise<Uint8Array> {
  const pixels = await decodeImage(context, image);
  if (pixels === undefined) throw new Error('not decoded');
  const small = sharp(pixels.data, { raw: pixels }).resize(90, 70, { fit: 'fill' });
  return (grey ? small.greyscale().toColourspace('b-w') : small.toColourspace('srgb')).raw().toBuffer();
}
