import { expect } from 'chai';
import sharp from 'sharp';
import { lookOf, scanSize, type ScannerParams } from '../../src/functions/scans/scanner-effect.js';
import { type ScanLook, scanPage } from '../../src/functions/scans/scan-look.js';

const params: ScannerParams = {
  quality: 'high',
  rotation: 'slight',
  colorspace: 'grayscale',
  border: 20,
  rotate: 0,
  rotateVariance: 2,
  brightness: 1,
  contrast: 1,
  blur: 1,
  noise: 8,
  yellowish: false,
  resolution: 300,
  advancedEnabled: false,
};
const still: ScanLook = {
  grey: false,
  angle: 0,
  variance: 0,
  border: 0,
  brightness: 1,
  contrast: 1,
  blur: 0,
  noise: 0,
  yellowish: false,
  jpegQuality: 95,
};
const [width, height] = [240, 320];

/** A white page with a red middle third and a black bar along its left edge. */
const page = {
  width,
  height,
  pixels: new Uint8Array(width * height * 4).map((_, i) => {
    const [x, y, c] = [Math.floor(i / 4) % width, Math.floor(i / 4 / width), i % 4];
    if (x < 12) return c === 3 ? 255 : 0;
    return x > width / 3 && x < (2 * width) / 3 && y > height / 3 && y < (2 * height) / 3 && (c === 1 || c === 2)
      ? 0
      : 255;
  }),
};

/** The same numbers each time (Park and Miller, 1988). */
function seeded(seed = 1): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

async function scanned(
  look: Partial<ScanLook>,
  random = seeded(),
): Promise<{
  readonly channels: number;
  readonly jpeg: Uint8Array;
  at(x: number, y: number): number[];
  readonly mean: number;
  readonly deviation: number;
}> {
  const { jpeg, components, width: w, height: h } = await scanPage(page, { ...still, ...look }, random);
  const { data, info } = await sharp(jpeg)
    .toColourspace(components === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, (await sharp(jpeg).metadata()).channels, w, h]).to.deep.equal([
    width,
    height,
    components,
    width,
    height,
  ]);
  const at = (x: number, y: number): number[] => [
    ...data.subarray((y * width + x) * components, (y * width + x + 1) * components),
  ];
  // The lower right corner of the sheet: plain paper.
  const paper = Array.from({ length: 1600 }, (_, i) => at(180 + (i % 40), 250 + Math.floor(i / 40))[0] ?? 0);
  const mean = paper.reduce((sum, level) => sum + level, 0) / paper.length;
  return {
    channels: components,
    jpeg,
    at,
    mean,
    deviation: Math.sqrt(paper.reduce((sum, level) => sum + (level - mean) ** 2, 0) / paper.length),
  };
}

describe('the look of a scan', function () {
  this.timeout(30_000);

  it('comes from the quality, or from custom settings', () => {
    const of = (quality: ScannerParams['quality'], advancedEnabled = false): number[] => {
      const { blur, noise, brightness, contrast } = lookOf({ ...params, quality, advancedEnabled });
      return [blur, noise, brightness, contrast];
    };
    expect([of('high'), of('medium'), of('low'), of('low', true)]).to.deep.equal([
      [0.1, 1, 1.03, 1.06],
      [0.1, 1, 1.06, 1.12],
      [0.9, 2.5, 1.08, 1.15],
      [1, 8, 1, 1],
    ]);
    expect(
      (['none', 'slight', 'moderate', 'severe'] as const).map(
        (rotation) => lookOf({ ...params, rotation, rotate: 10 }).angle,
      ),
    ).to.deep.equal([10, 12, 15, 18]);
  });

  it('has at most 8192 pixels per side and 16777216 in total, but at least 72 dpi', () => {
    expect(scanSize({ width: 595.28, height: 841.89 }, 150)).to.deep.equal({ width: 1240, height: 1753 });
    expect(scanSize({ width: 100, height: 3000 }, 600).height).to.be.within(8190, 8192);
    const square = scanSize({ width: 2000, height: 2000 }, 600);
    expect(square.width * square.height).to.be.within(16_700_000, 16_777_216);
    expect(scanSize({ width: 6000, height: 6000 }, 600)).to.deep.equal({ width: 6000, height: 6000 });
    expect(scanSize({ width: 720, height: 72 }, 10)).to.deep.equal({ width: 720, height: 72 });
    expect(() => scanSize({ width: 14_400, height: 14_400 }, 72))
      .to.throw()
      .with.property('code', 'IMAGE_TOO_LARGE');
  });

  it('is the same for the same random numbers, and different for others', async () => {
    const look = { noise: 8, variance: 3, border: 10 };
    const [a, b, c] = await Promise.all([scanned(look, seeded(1)), scanned(look, seeded(1)), scanned(look, seeded(2))]);
    expect(Buffer.from(a.jpeg).equals(b.jpeg)).to.equal(true);
    expect(Buffer.from(a.jpeg).equals(c.jpeg)).to.equal(false);
  });

  it('shows a straight sheet unchanged except for the light', async () => {
    const { at } = await scanned({});
    expect([at(120, 160)[0]! > 235, at(120, 160)[1]! < 25, at(4, 160)[0]! < 20, at(220, 20)[0]! > 235]).to.deep.equal([
      true,
      true,
      true,
      true,
    ]);
  });

  it('is grey in one channel, and tinted for old paper', async () => {
    const [grey, old] = await Promise.all([scanned({ grey: true }), scanned({ grey: true, yellowish: true })]);
    expect([grey.channels, old.channels]).to.deep.equal([1, 3]);
    expect(grey.at(120, 160)[0]).to.be.within(60, 130);
    const [red = 0, , blue = 0] = old.at(220, 20);
    expect(red - blue).to.be.greaterThan(30);
  });

  it('rotates clockwise, and shows the whole sheet with grey lid around it', async () => {
    const { at } = await scanned({ angle: 8, border: 20 });
    for (const [x, y] of [
      [2, 2],
      [237, 2],
      [2, 317],
      [237, 317],
    ] as const)
      expect(at(x, y)[0], `${x} ${y}`).to.be.within(150, 245);
    const firstBlack = (y: number): number =>
      Array.from({ length: width }, (_, x) => x).find((x) => (at(x, y)[0] ?? 255) < 90) ?? width;
    expect(firstBlack(80), 'the left edge leans to the right at the top').to.be.greaterThan(firstBlack(240) + 10);
    expect(firstBlack(235), 'the bar reaches the lower part').to.be.lessThan(width);
  });

  it('applies brightness, contrast, blur and noise', async () => {
    const [plain, dark, noisy, blurred, hard] = await Promise.all([
      scanned({}),
      scanned({ brightness: 0.5 }),
      scanned({ noise: 20, brightness: 0.6 }),
      scanned({ blur: 4 }),
      scanned({ contrast: 0.5 }),
    ]);
    expect(dark.mean).to.be.within(110, 130);
    expect(noisy.deviation).to.be.within(15, 25);
    expect(plain.deviation).to.be.lessThan(4);
    expect([plain.at(14, 160)[0]! > 200, blurred.at(14, 160)[0]! < 190]).to.deep.equal([true, true]);
    expect([hard.mean, hard.at(4, 160)[0]!].map((level) => Math.round(level / 10) * 10)).to.deep.equal([190, 60]);
  });

  it('accepts borders larger than the page and full turns', async () => {
    for (const look of [{ border: 10_000 }, { angle: 180 }, { angle: -360, variance: 360 }, { noise: 255, blur: 100 }])
      await scanned(look);
  });
});
