import { expect } from 'chai';
import { greyPixels } from '../../images/index.js';
import { type Layers, type Plane, separateLayers, similarity } from '../../images/mixed-raster/index.js';
import { hash, HEIGHT, photographedPage, type ScannedPage, scannedPage, textLines, WIDTH } from './scan-pages.js';

/** Separates a page, whose samples stay as they are. */
async function separate(page: ScannedPage): Promise<Layers | undefined> {
  return separateLayers({ ...page, data: Uint8Array.from(page.data) }, greyPixels(page));
}

async function separated(page: ScannedPage): Promise<Layers> {
  const layers = await separate(page);
  if (layers === undefined) throw new Error('not separated');
  return layers;
}

/** The share of the pixels in a rectangle that are ink. */
function inkIn({ data }: Plane, left: number, top: number, right: number, bottom: number): number {
  let count = 0;
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) count += data[y * WIDTH + x]!;
  return count / ((right - left) * (bottom - top));
}

/** The mean of each channel in a rectangle of the background. */
function colourOf({ background: { data, channels } }: Layers, left: number, top: number, side = 20): number[] {
  return Array.from({ length: channels }, (_, c) => {
    let sum = 0;
    for (let y = top; y < top + side; y++)
      for (let x = left; x < left + side; x++) sum += data[(y * WIDTH + x) * channels + c]!;
    return Math.round(sum / side ** 2);
  });
}

describe('separating a scan into layers', function () {
  this.timeout(60_000);

  it('finds the ink of a page, pixel by pixel, and leaves clean paper below', async () => {
    const { mask, ink, background, pictures } = await separated(await scannedPage(textLines('#202020')));
    const drawn = greyPixels(await scannedPage(textLines('#202020')));
    // Darker than the middle between ink and paper, and lighter by more than the softness of an edge.
    const [lost, added] = [80, 200].map((edge) => {
      let count = 0;
      for (let at = 0; at < mask.data.length; at++)
        if (edge < 128 ? drawn.data[at]! < edge && mask.data[at] === 0 : drawn.data[at]! > edge && mask.data[at] === 1)
          count++;
      return count / mask.data.length;
    });
    expect(lost, 'share of pixels of ink that are lost').to.be.lessThan(0.0005);
    expect(added, 'share of pixels of paper that are ink').to.be.lessThan(0.0005);
    expect([ink.width, ink.height]).to.deep.equal([1, 1]);
    expect(Math.max(...ink.data)).to.be.lessThan(90);
    const darkest = background.data.reduce((least, value) => Math.min(least, value), 255);
    expect(darkest, 'darkest sample of the background').to.be.greaterThan(200);
    expect(pictures).to.be.lessThan(0.01);
  });

  it('works in grey', async () => {
    const { ink, background } = await separated(await scannedPage(textLines('#202020'), '#f2f2f2', 1));
    expect([ink.channels, background.channels]).to.deep.equal([1, 1]);
  });

  it('follows light that falls off towards an edge', async () => {
    const page = await scannedPage(textLines('#303030'));
    for (let at = 0; at < page.data.length; at++) page.data[at]! *= 1 - 0.45 * ((Math.floor(at / 3) % WIDTH) / WIDTH);
    const { mask } = await separated(page);
    const { mask: even } = await separated(await scannedPage(textLines('#303030')));
    for (const left of [100, 350, 600]) {
      const share = inkIn(even, left, 90, left + 250, 1600);
      expect(share).to.be.greaterThan(0.05);
      expect(inkIn(mask, left, 90, left + 250, 1600), `from ${left}`).to.be.within(share * 0.9, share * 1.1);
    }
    expect(inkIn(mask, 1100, 0, WIDTH, HEIGHT), 'the dark margin').to.equal(0);
  });

  it('keeps inks of several colours apart', async () => {
    const { ink } = await separated(
      await scannedPage(textLines('#1a1a1a', { lines: 20 }) + textLines('#c02030', { from: 1100, lines: 6 })),
    );
    const { data, width } = ink;
    expect(width).to.be.greaterThan(1);
    const at = (x: number, y: number): number[] =>
      [...data.subarray((Math.floor(y / 8) * width + Math.floor(x / 8)) * 3)].slice(0, 3);
    const [black, red] = [at(160, 300), at(160, 1180)];
    expect(Math.max(...black) - Math.min(...black)).to.be.lessThan(25);
    expect(red[0]! - red[1]!).to.be.greaterThan(100);
  });

  it('keeps white letters in a dark bar as holes of the ink', async () => {
    const bar =
      '<rect x="0" y="0" width="1240" height="70" fill="#1d4f91"/>' +
      '<text x="100" y="48" font-size="36" font-family="sans-serif" fill="#fff">Statement of account</text>';
    const { mask } = await separated(await scannedPage(bar + textLines('#202020')));
    expect(inkIn(mask, 600, 5, 1200, 60), 'bar').to.be.greaterThan(0.98);
    expect(inkIn(mask, 100, 20, 440, 50), 'letters').to.be.within(0.4, 0.9);
  });

  it('leaves a picture on the page to the background', async () => {
    const page = await scannedPage(textLines('#202020', { lines: 20 }));
    const photo = await photographedPage();
    for (let y = 1100; y < 1600; y++)
      page.data.set(photo.data.subarray((y * WIDTH + 100) * 3, (y * WIDTH + 1140) * 3), (y * WIDTH + 100) * 3);
    const layers = await separated(page);
    expect(inkIn(layers.mask, 120, 1120, 1120, 1580)).to.be.lessThan(0.02);
    expect(layers.pictures).to.be.within(0.15, 0.4);
    const mean = (samples: Uint8Array): number => samples.reduce((sum, value) => sum + value, 0) / samples.length;
    const row = (data: Uint8Array): Uint8Array => data.subarray((1300 * WIDTH + 150) * 3, (1300 * WIDTH + 1100) * 3);
    expect(Math.abs(mean(row(layers.background.data)) - mean(row(page.data)))).to.be.lessThan(3);
  });

  it('leaves a mark of faint colour where it is', async () => {
    const marker = '<rect x="90" y="300" width="500" height="40" fill="#fff07a"/>';
    const layers = await separated(await scannedPage(marker + textLines('#202020')));
    expect(colourOf(layers, 200, 310)[2], 'blue of the marker').to.be.lessThan(170);
    expect(colourOf(layers, 700, 310)[2], 'blue of the paper').to.be.greaterThan(215);
  });

  it('removes dust', async () => {
    const dust = Array.from(
      { length: 40 },
      (_, i) =>
        `<rect x="${950 + (i % 8) * 30}" y="${300 + Math.floor(i / 8) * 90}" width="1" height="1" fill="#000"/>`,
    );
    const { mask } = await separated(await scannedPage(textLines('#202020', { lines: 3 }) + dust.join('')));
    expect(inkIn(mask, 940, 280, 1239, 800)).to.equal(0);
  });

  it('refuses blank pages and noise', async () => {
    expect(await separate(await scannedPage('')), 'blank page').to.equal(undefined);
    const noise = await scannedPage('');
    for (let at = 0; at < noise.data.length; at++) noise.data[at] = Math.floor(hash(at) * 256);
    expect(await separate(noise), 'noise').to.equal(undefined);
    for (const value of [0, 255]) {
      noise.data.fill(value);
      expect(await separate(noise), `samples of ${value}`).to.equal(undefined);
    }
  });
});

describe('comparing what can be read', () => {
  const plane = (pixel: (x: number, y: number) => number): Plane => ({
    width: 240,
    height: 240,
    data: Uint8Array.from({ length: 240 * 240 }, (_none, i) => pixel(i % 240, Math.floor(i / 240))),
  });
  const stripes = plane((x) => (x % 6 < 2 ? 20 : 240));

  it('finds equal images equal, and lighter ones similar', () => {
    expect(similarity(stripes, stripes, 8)).to.deep.equal({ mean: 1, worst: 1 });
    expect(
      similarity(
        stripes,
        plane((x) => (x % 6 < 2 ? 50 : 240)),
        8,
      )?.mean,
    ).to.be.within(0.9, 0.999);
  });

  it('reports a small part that is lost', () => {
    const torn = plane((x, y) => (y < 24 ? 180 : x % 6 < 2 ? 20 : 240));
    const { mean, worst } = similarity(stripes, torn, 8)!;
    expect(mean).to.be.greaterThan(0.85);
    expect(worst).to.be.lessThan(0.1);
  });

  it('has nothing to say of an even image', () => {
    expect(
      similarity(
        plane(() => 200),
        stripes,
        8,
      ),
    ).to.equal(undefined);
  });
});
