import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFContext, PDFName, PDFRawStream } from 'pdf-lib';
import sharp from 'sharp';
import { blankOutside, decodeImage, encodeG4, type Pixels } from '../../images/index.js';

const AREA = { left: 5, top: 3, right: 13, bottom: 11 };
const SIZE = { width: 19, height: 17 };

function image(context: PDFContext, data: Uint8Array, entries: Record<string, unknown>): PDFRawStream {
  const dict: Record<string, never> = {
    Type: 'XObject',
    Subtype: 'Image',
    Width: SIZE.width,
    Height: SIZE.height,
    BitsPerComponent: 8,
    ...entries,
  } as never;
  return PDFRawStream.of(context.obj(dict), data);
}

/** Bytes without a pattern, always the same ones. */
function noise(length: number): Uint8Array {
  let seed = 12345;
  return Uint8Array.from({ length }, () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16);
}

const value = ({ data, channels, width }: Pixels, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels),
];

/** Blanks an image and compares both: equal inside, one colour outside. */
async function check(context: PDFContext, before: PDFRawStream, tolerance: number): Promise<PDFRawStream> {
  const after = await blankOutside(context, before, AREA);
  expect(after).not.to.equal(undefined);
  const [old, fresh] = [await decodeImage(context, before), await decodeImage(context, after!)];
  if (old === undefined || fresh === undefined) throw new Error('cannot be decoded');
  expect([fresh.width, fresh.height]).to.deep.equal([SIZE.width, SIZE.height]);
  const luma = (pixels: Pixels, x: number, y: number): number =>
    value(pixels, x, y)
      .slice(0, 3)
      .reduce((sum, one, _i, all) => sum + one / all.length, 0);
  const outside = new Set<number>();
  for (let y = 0; y < SIZE.height; y++) {
    for (let x = 0; x < SIZE.width; x++) {
      const isInside = x >= AREA.left && x < AREA.right && y >= AREA.top && y < AREA.bottom;
      if (isInside) expect(luma(fresh, x, y), `${x}, ${y}`).to.be.closeTo(luma(old, x, y), tolerance);
      // Lossy compression changes up to one block beyond the edge.
      else if (tolerance < 1 || x < AREA.left - 8 || x > AREA.right + 8 || y > AREA.bottom + 8)
        outside.add(Math.round(luma(fresh, x, y)));
    }
  }
  expect(outside.size).to.be.lessThan(2);
  return after!;
}

describe('blanking an image outside an area', () => {
  const context = PDFContext.create();

  it('keeps samples of every depth exactly', async () => {
    const { width, height } = SIZE;
    const rows = (bits: number): number => Math.ceil((width * bits) / 8) * height;
    for (const [bits, components, space] of [
      [8, 3, 'DeviceRGB'],
      [8, 1, 'DeviceGray'],
      [4, 1, 'DeviceGray'],
      [2, 1, 'DeviceGray'],
      [1, 1, 'DeviceGray'],
      [16, 1, 'DeviceGray'],
      [8, 4, 'DeviceCMYK'],
    ] as const) {
      await check(
        context,
        image(context, deflateSync(noise(rows(bits * components))), {
          BitsPerComponent: bits,
          ColorSpace: space,
          Filter: 'FlateDecode',
        }),
        0.5,
      );
    }
  });

  it('keeps palettes and stencil masks', async () => {
    const { width, height } = SIZE;
    const palette = context.obj(['Indexed', 'DeviceRGB', 15]);
    palette.push(context.register(PDFRawStream.of(context.obj({}), noise(48))));
    await check(
      context,
      image(context, noise(Math.ceil(width / 2) * height), { BitsPerComponent: 4, ColorSpace: palette }),
      0.5,
    );
    await check(
      context,
      image(context, noise(Math.ceil(width / 8) * height), { BitsPerComponent: 1, ImageMask: true }),
      0.5,
    );
  });

  it('recompresses JPEG with little change', async () => {
    for (const channels of [1, 3] as const) {
      const smooth = Uint8Array.from(
        { length: SIZE.width * SIZE.height * channels },
        (_unused, i) => (Math.floor(i / channels) % SIZE.width) * 12,
      );
      const raw = sharp(smooth, { raw: { ...SIZE, channels } });
      const data = await (channels === 1 ? raw.toColourspace('b-w') : raw)
        .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
        .toBuffer();
      const after = await check(
        context,
        image(context, data, { ColorSpace: channels === 1 ? 'DeviceGray' : 'DeviceRGB', Filter: 'DCTDecode' }),
        12,
      );
      expect(after.dict.get(PDFName.of('Filter'))).to.equal(PDFName.of('DCTDecode'));
    }
  });

  it('keeps CCITT images exactly, one bit per pixel', async () => {
    const { width, height } = SIZE;
    const bits = noise(Math.ceil(width / 8) * height);
    const data = encodeG4(bits, width, height);
    for (const BlackIs1 of [true, false]) {
      const after = await check(
        context,
        image(context, data, {
          BitsPerComponent: 1,
          ColorSpace: 'DeviceGray',
          Filter: 'CCITTFaxDecode',
          DecodeParms: { K: -1, Columns: width, Rows: height, BlackIs1 },
        }),
        0.5,
      );
      expect(after.dict.get(PDFName.of('BitsPerComponent'))?.toString()).to.equal('1');
    }
    await check(
      context,
      image(context, data, {
        BitsPerComponent: 1,
        ImageMask: true,
        Filter: 'CCITTFaxDecode',
        DecodeParms: { K: -1, Columns: width, Rows: height },
      }),
      0.5,
    );
  });

  it('leaves undecodable images alone', async () => {
    expect(
      await blankOutside(context, image(context, noise(40), { ColorSpace: 'DeviceRGB', Filter: 'JPXDecode' }), AREA),
    ).to.equal(undefined);
    expect(await blankOutside(context, image(context, noise(40), { Width: 0 }), AREA)).to.equal(undefined);
  });
});
