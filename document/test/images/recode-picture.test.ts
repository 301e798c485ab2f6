import { expect } from 'chai';
import sharp from 'sharp';
import { recodePicture } from '@quire/document/images';

const limits = { field: 'dataUrl', maxPixels: 1_000_000, maxBytes: 500_000 };
const noise = sharp({
  create: {
    width: 400,
    height: 400,
    channels: 3,
    background: 'white',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
});
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error as { code: unknown }).code,
  );

describe('a re-encoded image', () => {
  it('has the same pixels when it is a PNG, with alpha, palette or 16 bits', async () => {
    const seen = sharp({
      create: { width: 32, height: 32, channels: 4, background: { r: 200, g: 10, b: 10, alpha: 0.3 } },
    });
    const deep = await sharp(await seen.clone().png().toBuffer())
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    for (const png of [
      await seen.clone().png().toBuffer(),
      await seen.clone().png({ palette: true }).toBuffer(),
      await noise.clone().png().toBuffer(),
      deep,
    ]) {
      const written = await recodePicture(png, 'png', { ...limits, maxBytes: 2_000_000 });
      expect(await sharp(written).ensureAlpha().raw().toBuffer()).to.deep.equal(
        await sharp(png).ensureAlpha().raw().toBuffer(),
      );
    }
  });

  it('loses everything except the image', async () => {
    const jpeg = await noise
      .clone()
      .withExif({ IFD0: { Artist: 'somebody' } })
      .jpeg()
      .toBuffer();
    const written = Buffer.from(await recodePicture(Buffer.concat([jpeg, Buffer.from('behind it')]), 'jpeg', limits));
    expect([jpeg.includes('somebody'), written.includes('somebody'), written.includes('behind it')]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('is compressed further, or rejected, when it has too many bytes', async () => {
    const jpeg = await noise.clone().jpeg({ quality: 95 }).toBuffer();
    const first = (await recodePicture(jpeg, 'jpeg', limits)).length;
    expect((await recodePicture(jpeg, 'jpeg', { ...limits, maxBytes: first - 1 })).length).to.be.lessThan(first);
    expect(await refusal(recodePicture(jpeg, 'jpeg', { ...limits, maxBytes: 1000 }))).to.equal('IMAGE_UNREADABLE');
    expect(
      await refusal(recodePicture(await noise.clone().png().toBuffer(), 'png', { ...limits, maxBytes: 1000 })),
    ).to.equal('IMAGE_UNREADABLE');
  });

  it('is rejected for another format, too many pixels, or a missing end', async () => {
    const [png, jpeg] = [await noise.clone().png().toBuffer(), await noise.clone().jpeg().toBuffer()];
    expect(await refusal(recodePicture(png, 'jpeg', limits))).to.equal('IMAGE_UNREADABLE');
    expect(await refusal(recodePicture(png, 'png', { ...limits, maxPixels: 159_999 }))).to.equal('IMAGE_TOO_LARGE');
    for (const [bytes, kind] of [
      [png, 'png'],
      [jpeg, 'jpeg'],
    ] as const)
      expect(await refusal(recodePicture(bytes.subarray(0, bytes.length * 0.8), kind, limits)), kind).to.equal(
        'IMAGE_UNREADABLE',
      );
  });
});
