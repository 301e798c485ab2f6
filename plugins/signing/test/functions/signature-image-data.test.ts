import { expect } from 'chai';
import sharp from 'sharp';
import { isQuireError } from '@quire/registry/errors';
import { isWithinLimits, MAX_IMAGE_BYTES, readSignatureImage } from '../../src/functions/signature-image-data.js';
import { imageShape } from '../../src/functions/signature-image-shape.js';

const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: 'navy' } });
const url = (bytes: Uint8Array, type = 'image/png;base64'): string =>
  `data:${type},${Buffer.from(bytes).toString('base64')}`;
const codeOf = (dataUrl: string): Promise<string> =>
  readSignatureImage(dataUrl).then(
    () => 'nothing',
    (error: unknown) => (isQuireError(error) ? error.code : String(error)),
  );

describe('the image of a saved signature', () => {
  let png: Buffer;
  let jpeg: Buffer;
  let progressive: Buffer;
  before(async () => {
    [png, jpeg, progressive] = [
      await drawn.clone().png().toBuffer(),
      await drawn.clone().jpeg().toBuffer(),
      await drawn.clone().jpeg({ progressive: true }).toBuffer(),
    ];
  });

  it('keeps the extension of its URL as written', async () => {
    expect((await readSignatureImage(url(jpeg, 'image/jpeg;base64')))?.extension).to.equal('jpeg');
    expect((await readSignatureImage(url(jpeg, 'image/jpg;base64')))?.extension).to.equal('jpg');
    expect((await readSignatureImage(url(png, 'IMAGE/PNG;charset=utf-8;base64')))?.extension).to.equal('png');
    expect(await readSignatureImage('hello')).to.equal(undefined);
    expect(await readSignatureImage('data:text/plain;base64,aGk=')).to.equal(undefined);
  });

  it('comes out upright and in sRGB', async () => {
    const turned = await drawn.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const image = await readSignatureImage(url(turned, 'image/jpeg;base64'));
    const { width, height, space, orientation } = await sharp(image?.bytes).metadata();
    expect([width, height, space, orientation ?? 1]).to.deep.equal([30, 40, 'srgb', 1]);
  });

  it('is refused when it is cut short, wherever that is', async () => {
    const noise = sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });
    for (const whole of [await noise.clone().png().toBuffer(), await noise.clone().jpeg().toBuffer()]) {
      for (const part of [0.01, 0.3, 0.9])
        expect(await codeOf(url(whole.subarray(0, Math.ceil(whole.length * part)))), `${part}`).to.equal(
          'IMAGE_UNREADABLE',
        );
    }
    expect(await codeOf(url(Buffer.concat([png.subarray(0, 40), Buffer.alloc(60, 7)])))).to.equal('IMAGE_UNREADABLE');
  });

  it('may be as large as the limit, and what it is written as keeps to the limit too', async () => {
    const noise = await sharp({
      create: {
        width: 1800,
        height: 1200,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg({ quality: 88 })
      .toBuffer();
    expect(noise.length, 'the sample').to.be.within(MAX_IMAGE_BYTES / 2, MAX_IMAGE_BYTES);
    const image = await readSignatureImage(url(noise, 'image/jpeg;base64'));
    expect(image?.bytes.length).to.be.at.most(MAX_IMAGE_BYTES);
  });

  it('is measured without being decoded, when it begins and ends as one', () => {
    for (const [bytes, kind] of [
      [png, 'png'],
      [jpeg, 'jpeg'],
      [progressive, 'jpeg'],
    ] as const) {
      expect(imageShape(bytes)).to.deep.equal({ kind, width: 40, height: 30 });
      expect(isWithinLimits(bytes)).to.equal(true);
      for (const cut of [bytes.subarray(0, 3), bytes.subarray(0, 30), bytes.subarray(0, bytes.length - 10)])
        expect(imageShape(cut)).to.equal(undefined);
    }
    for (const wrong of [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      Buffer.from('<svg/>'),
      Buffer.from([0xff, 0xd8, 0xff]),
      Buffer.alloc(100, 0xff),
    ])
      expect(imageShape(wrong)).to.equal(undefined);
    const wide = Buffer.from(png);
    wide.writeUInt32BE(60_000, 16);
    wide.writeUInt32BE(60_000, 20);
    expect(isWithinLimits(wide)).to.equal(false);
    const looping = Buffer.concat([
      png.subarray(0, 33),
      Buffer.from([0xff, 0xff, 0xff, 0xff]),
      Buffer.from('IDAT'),
      Buffer.alloc(20),
    ]);
    expect(isWithinLimits(looping)).to.equal(false);
  });
});
