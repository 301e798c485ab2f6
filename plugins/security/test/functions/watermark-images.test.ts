import { expect } from 'chai';
import sharp, { type Create, type CreateRaw, type Sharp } from 'sharp';
import { square, marked, seen, near, WHITE, emptyPage, expectTiles } from './watermarked-pages.js';

describe('watermark images', function () {
  this.timeout(30_000);

  /** An image of 40 x 20 pixels with its left half in one colour and its right half in another. */
  const halves = async (left: string, right: string): Promise<Sharp> => {
    const half = (background: string): Create => ({ width: 20, height: 20, channels: 4, background });
    const both = sharp({ create: { ...half('#00000000'), width: 40 } }).composite([
      { input: { create: half(left) }, left: 0, top: 0 },
      { input: { create: half(right) }, left: 20, top: 0 },
    ]);
    return sharp(await both.png().toBuffer());
  };
  const expectHalves = async (
    image: Uint8Array,
    kind: 'png' | 'jpeg' | 'gif' | 'bmp',
    [left, right]: readonly [readonly number[], readonly number[]],
    change: { opacity?: number } = {},
    slack = 6,
  ): Promise<void> => {
    // 20 points high and 40 wide, at the lower left corner.
    for (const [sight] of await seen(await marked(emptyPage(), image, { kind, ...change }))) {
      expect(near(sight!.rgb(10, 90), left, slack), `left is ${sight!.rgb(10, 90).join('/')}`).to.equal(true);
      expect(near(sight!.rgb(30, 90), right, slack), `right is ${sight!.rgb(30, 90).join('/')}`).to.equal(true);
      expect(near(sight!.rgb(45, 90), WHITE)).to.equal(true);
      expect(near(sight!.rgb(10, 75), WHITE)).to.equal(true);
    }
  };
  const [red, green] = [
    [255, 0, 0],
    [0, 128, 0],
  ] as const;

  it('keep palette and alpha, and combine alpha with opacity', async () => {
    const image = await (await halves('#ff0000', '#00000000')).png({ palette: true }).toBuffer();
    await expectHalves(image, 'png', [red, WHITE]);
    await expectHalves(image, 'png', [[255, 128, 128], WHITE], { opacity: 0.5 });
    const half = await (await halves('#ff000080', '#008000')).png().toBuffer();
    await expectHalves(half, 'png', [[255, 127, 127], green]);
    await expectHalves(
      half,
      'png',
      [
        [255, 191, 191],
        [127, 191, 127],
      ],
      { opacity: 0.5 },
    );
  });

  it('may have 16 bits per channel', async () => {
    await expectHalves(await (await halves('#ff0000', '#008000')).toColourspace('rgb16').png().toBuffer(), 'png', [
      red,
      green,
    ]);
  });

  it('may be CMYK, with similar colours', async () => {
    const image = await (
      await halves('#ff0000', '#008000')
    )
      .flatten()
      .toColourspace('cmyk')
      .jpeg({ quality: 95 })
      .toBuffer();
    await expectHalves(
      image,
      'jpeg',
      [
        [237, 28, 36],
        [0, 140, 70],
      ],
      {},
      60,
    );
  });

  it('show the first frame of a GIF', async () => {
    const frame = async (left: string, right: string): Promise<Buffer> =>
      (await halves(left, right)).removeAlpha().raw().toBuffer();
    const frames = Buffer.concat([await frame('#ff0000', '#008000'), await frame('#0000ff', '#000000')]);
    const image = await sharp(frames, { raw: { width: 40, height: 40, channels: 3, pageHeight: 20 } as CreateRaw })
      .gif()
      .toBuffer();
    expect((await sharp(image).metadata()).pages).to.equal(2);
    await expectHalves(image, 'gif', [red, green]);
  });

  it('may be a bitmap with rows from the top', async () => {
    const rows = Buffer.concat(
      Array.from({ length: 20 }, () =>
        Buffer.concat([
          ...Array.from({ length: 20 }, () => Buffer.from([0, 0, 255])),
          ...Array.from({ length: 20 }, () => Buffer.from([0, 128, 0])),
        ]),
      ),
    );
    const head = Buffer.alloc(54);
    head.write('BM');
    head.writeUInt32LE(54 + rows.length, 2);
    head.writeUInt32LE(54, 10);
    head.writeUInt32LE(40, 14);
    head.writeInt32LE(40, 18);
    head.writeInt32LE(-20, 22);
    head.writeUInt16LE(1, 26);
    head.writeUInt16LE(24, 28);
    head.writeUInt32LE(rows.length, 34);
    await expectHalves(Buffer.concat([head, rows]), 'bmp', [red, green]);
  });

  it('are upright if the camera was rotated', async () => {
    // Stored as 20 x 40, red above green; orientation 8 rotates it by 90 degrees counter-clockwise to 40 x 20, top to
    // the left.
    const stored = await (await halves('#ff0000', '#008000')).flatten().rotate(90).jpeg({ quality: 95 }).toBuffer();
    const image = await sharp(stored)
      .withMetadata({ orientation: 8 })
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer();
    await expectHalves(image, 'jpeg', [red, green], {}, 20);
  });

  it('fill their tile if they have a single pixel', async () => {
    const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer();
    await expectTiles(await marked(emptyPage(), dot));
  });

  it('are refused by their size before a pixel is decoded', async () => {
    const claimed = Buffer.from(await square());
    for (const side of [60_000, 7_100]) {
      claimed.writeUInt32BE(side, 16);
      claimed.writeUInt32BE(side, 20);
      claimed.writeUInt32BE(crc32(claimed.subarray(12, 29)), 29);
      expect(
        await marked(emptyPage(), claimed).then(
          () => undefined,
          (error: unknown) => (error as { code: string }).code,
        ),
        `${side} pixels square`,
      ).to.equal('IMAGE_TOO_LARGE');
    }
  });
});

/** The checksum of a PNG chunk (ISO 15948, annex D). */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
