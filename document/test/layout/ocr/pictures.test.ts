import { measureSkew } from '@quire/document/layout/ocr';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFContext } from 'pdf-lib';
import { decodeImage } from '../../../images/index.js';
import { cleanPicture } from '../../../layout/ocr/clean-picture.js';
import { isEmptyPage, samplesOf, type Samples, turnedSamples } from '../../../layout/ocr/grey-picture.js';
import { pagePicture } from '../../../layout/ocr/page-pictures.js';
import { PictureStore } from '../../../engines/rendering/index.js';

const [WIDTH, HEIGHT] = [1000, 1400];

/** A page of lines made of strokes, as letters are, on paper of this brightness. */
function page(paper = 255, ink = 10): Samples {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(paper);
  for (let line = 0; line < 30; line++) {
    for (let letter = 0; letter < 60; letter++) {
      if ((letter * 7 + line) % 6 === 0) continue;
      for (let y = 0; y < 16; y++)
        data.fill(
          ink,
          (100 + line * 40 + y) * WIDTH + 80 + letter * 14,
          (100 + line * 40 + y) * WIDTH + 84 + letter * 14 + (letter % 3),
        );
    }
  }
  return { width: WIDTH, height: HEIGHT, channels: 1, data };
}

const colours = ({ width, height, data }: Samples, [red, green, blue]: readonly number[]): Uint8Array =>
  Uint8Array.from(
    { length: width * height * 4 },
    (_none, i) => [data[i >> 2]! * red!, data[i >> 2]! * green!, data[i >> 2]! * blue!, 255][i & 3]!,
  );

describe('Pictures that are read', function suite() {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-pictures-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('report how far their lines are skewed, to a tenth of a degree', () => {
    for (const degrees of [0, 0.4, 2, -3.3, 6])
      expect(measureSkew(turnedSamples(page(), degrees)), String(degrees)).to.be.closeTo(degrees, 0.1);
    for (const degrees of [12, -25])
      expect(Math.abs(measureSkew(turnedSamples(page(), degrees))), String(degrees)).to.be.at.most(7);
    expect(measureSkew({ width: 400, height: 400, channels: 1, data: new Uint8Array(160_000).fill(255) })).to.equal(0);
    expect(measureSkew({ width: 400, height: 400, channels: 1, data: new Uint8Array(160_000) })).to.equal(0);
    let seed = 1;
    const noise = Uint8Array.from(
      { length: 160_000 },
      () => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16) & 255,
    );
    expect(Math.abs(measureSkew({ width: 400, height: 400, channels: 1, data: noise }))).to.be.at.most(7);
  });

  it('come back from being turned there and back', () => {
    const { data } = turnedSamples(turnedSamples(page(), 3), -3);
    const { data: before } = page();
    let difference = 0;
    for (let y = 300; y < 1000; y++)
      for (let x = 200; x < 800; x++) difference += Math.abs(data[y * WIDTH + x]! - before[y * WIDTH + x]!);
    expect(difference / (700 * 600)).to.be.lessThan(16);
  });

  it('are cleaned of shadow, yellow and specks, and of nothing else', () => {
    const dirty = page(200, 20);
    // A shadow along one side, specks in an empty corner, and a full stop.
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < 150; x++)
        dirty.data[y * WIDTH + x] = Math.round(dirty.data[y * WIDTH + x]! * (0.7 + x / 500));
    for (const at of [5 * WIDTH + 500, 20 * WIDTH + 700, 30 * WIDTH + 720]) dirty.data[at] = 0;
    for (let y = 50; y < 57; y++) dirty.data.fill(0, y * WIDTH + 600, y * WIDTH + 607);
    const { data } = cleanPicture(dirty, 300);
    expect([data[5 * WIDTH + 500], data[20 * WIDTH + 700], data[30 * WIDTH + 720]], 'specks').to.deep.equal([
      255, 255, 255,
    ]);
    expect(
      Math.min(data[700 * WIDTH + 10]!, data[40 * WIDTH + 40]!, data[60 * WIDTH + 900]!),
      'paper',
    ).to.be.greaterThan(230);
    expect([data[53 * WIDTH + 603]! < 40, data[105 * WIDTH + 97]! < 60], 'a full stop, and letters').to.deep.equal([
      true,
      true,
    ]);
    const yellow = samplesOf(colours(page(), [0.9, 0.85, 0.6]), { width: WIDTH, height: HEIGHT });
    expect(yellow.channels).to.equal(3);
    const white = cleanPicture(yellow, 300);
    expect(Math.min(...white.data.subarray(3 * 40 * WIDTH, 3 * 41 * WIDTH))).to.be.greaterThan(245);
  });

  it('are grey where nothing on the page has colour, and empty where nothing is', () => {
    expect(samplesOf(colours(page(), [1, 0.98, 0.95]), { width: WIDTH, height: HEIGHT }).channels).to.equal(1);
    expect([
      isEmptyPage(page()),
      isEmptyPage(page(240, 238)),
      isEmptyPage({ width: 10, height: 10, channels: 1, data: new Uint8Array(100).fill(255) }),
    ]).to.deep.equal([false, true, true]);
  });

  it('of pages stay within their size limit: black and white as CCITT, others as JPEG', async () => {
    const context = PDFContext.create();
    const store = new PictureStore(join(folder, 'pictures'));
    const line = await pagePicture(context, page(), 60_000, store);
    expect([
      String(line.dict.get((await import('pdf-lib')).PDFName.of('Filter'))),
      line.contents.length < 30_000,
    ]).to.deep.equal(['/CCITTFaxDecode', true]);
    const decoded = await decodeImage(context, line);
    const { data } = page();
    expect(
      decoded!.data.every((value, i) => value === (data[i]! < 128 ? 0 : 255)),
      'the same picture',
    ).to.equal(true);
    let seed = 3;
    const photo: Samples = {
      width: 600,
      height: 800,
      channels: 3,
      data: Uint8Array.from(
        { length: 600 * 800 * 3 },
        (_none, i) => ((i / 1800) * 0.3 + (((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16) % 120)) & 255,
      ),
    };
    for (const most of [200_000, 60_000, 12_000]) {
      const coded = await pagePicture(context, photo, most, store);
      expect(
        [coded.contents.length <= most, String(coded.dict.get((await import('pdf-lib')).PDFName.of('Filter')))],
        String(most),
      ).to.deep.equal([true, '/DCTDecode']);
    }
  });
});
