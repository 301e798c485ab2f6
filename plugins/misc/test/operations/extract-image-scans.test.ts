import { expect } from 'chai';
import { degrees, PDFDocument, type PDFPage, rgb } from 'pdf-lib';
import sharp from 'sharp';
import { extractImageScans } from '../../src/operations/extract-image-scans.op.js';
import { locked } from '../pictures/locked.js';
import { type Ran, runOperation } from '../pictures/run-operation.js';
import { type Photo, type Scan, scanPixels, scanPng } from '../pictures/scans.js';

const upright: Photo = { x: 60, y: 60, width: 300, height: 200, angle: 0, seed: 1 };
const askew: Photo = { x: 480, y: 120, width: 360, height: 240, angle: 14, seed: 2 };
const cutOff: Photo = { x: -20, y: 480, width: 300, height: 220, angle: -6, seed: 3 };
const steep: Photo = { x: 560, y: 500, width: 220, height: 240, angle: -31, seed: 4 };
const table: Scan = { width: 1000, height: 800, photos: [upright, askew, cutOff, steep] };

const settings = { 'system.maxDPI': 100 };
const extract = (file: readonly [string, Uint8Array], params: Record<string, unknown> = {}): Promise<Ran> =>
  runOperation(extractImageScans, file, params, { settings });
const sizes = ({ files }: Ran): Promise<string[]> =>
  Promise.all(
    files.map(async (file) => {
      const { width, height } = await sharp(file).metadata();
      return `${width}x${height}`;
    }),
  );

/** The mean difference between a cut and the original photo, without 5 pixels at each edge. */
async function difference(cut: Buffer, photo: Photo): Promise<number> {
  const lone = await scanPixels({
    width: photo.width,
    height: photo.height,
    photos: [{ ...photo, x: 0, y: 0, angle: 0 }],
    noise: 0,
  });
  const own = await sharp(cut).resize(photo.width, photo.height, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  let [sum, count] = [0, 0];
  for (let y = 5; y < photo.height - 5; y++) {
    for (let at = (y * photo.width + 5) * 3; at < (y * photo.width + photo.width - 5) * 3; at++, count++)
      sum += Math.abs(own[at]! - lone[at]!);
  }
  return sum / count;
}

/** Expects photos of about these sizes that show the originals. */
async function expectPhotos({ files, code }: Ran, photos: readonly Photo[], off = 4): Promise<void> {
  expect(code).to.equal(undefined);
  expect(files).to.have.length(photos.length);
  for (const [i, photo] of photos.entries()) {
    const { width, height } = await sharp(files[i]).metadata();
    expect(
      [width, height].map((side, at) => Math.abs(side - [photo.width, photo.height][at]!) <= off),
      `photo ${i + 1} of ${width}x${height}`,
    ).to.deep.equal([true, true]);
    expect(await difference(files[i]!, photo), `what photo ${i + 1} shows`).to.be.lessThan(7);
  }
}

/** A BMP with 24 bits per pixel; the width is a multiple of 4. */
function bmpOf(rgbRows: Uint8Array, width: number, height: number): Buffer {
  const bmp = Buffer.alloc(54 + rgbRows.length);
  bmp.write('BM', 'latin1');
  for (const [at, value] of [
    [2, bmp.length],
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
    [34, rgbRows.length],
  ] as const)
    bmp.writeUInt32LE(value, at);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++)
        bmp[54 + ((height - 1 - y) * width + x) * 3 + c] = rgbRows[(y * width + x) * 3 + 2 - c]!;
  }
  return bmp;
}

describe('extract-image-scans', () => {
  it('cuts out each photo, straightened, in reading order', async () => {
    const photos = [upright, askew, { ...steep, y: 460 }];
    const ran = await extract(['table.top.png', await scanPng({ ...table, photos })]);
    expect(ran.names).to.deep.equal(
      ['table.top_processed_1', 'table.top_processed_2', 'table.top_processed_3'].map((name) => `${name}.png`),
    );
    await expectPhotos(ran, photos);
  });

  it('returns a single photo as it is, named after the input', async () => {
    const ran = await extract(['a.png', await scanPng({ ...table, photos: [askew] })]);
    expect(ran.names).to.deep.equal(['a.png']);
    await expectPhotos(ran, [askew]);
  });

  it('copes with noise, dust, soft shadows and colourful or dark backgrounds', async () => {
    const photos = [askew, steep];
    await expectPhotos(await extract(['a.png', await scanPng({ ...table, photos, noise: 10, dust: 120 })]), photos);
    await expectPhotos(await extract(['a.png', await scanPng({ ...table, photos, shadow: true })]), photos, 8);
    for (const background of [
      { r: 18, g: 22, b: 40 },
      { r: 190, g: 30, b: 40 },
    ])
      await expectPhotos(await extract(['a.png', await scanPng({ ...table, photos, background })]), photos);
  });

  it('straightens a photo that extends beyond the scan by its own edges', async () => {
    const { files } = await extract(['a.png', await scanPng({ ...table, photos: [cutOff] })]);
    const { width, height } = await sharp(files[0]).metadata();
    expect(height).to.be.closeTo(220, 4);
    expect(width).to.be.within(270, 300);
    const { data, info } = await sharp(files[0])
      .extract({ left: 60, top: 2, width: 180, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.width).to.equal(180);
    expect(
      Math.max(...Array.from({ length: 180 }, (_none, i) => Math.abs(data[i * 3 + 2]! - data[2]!))),
      'its upper edge is level',
    ).to.be.lessThan(20);
  });

  it('straightens from the threshold on', async () => {
    const file = ['a.png', await scanPng({ ...table, photos: [askew] })] as const;
    expect(await sizes(await extract(file, { angleThreshold: 14 }))).to.deep.equal(await sizes(await extract(file)));
    const [box] = await sizes(await extract(file, { angleThreshold: 15 }));
    const [width = 0, height = 0] = (box ?? '').split('x').map(Number);
    expect(width).to.be.closeTo(360 * Math.cos((14 * Math.PI) / 180) + 240 * Math.sin((14 * Math.PI) / 180), 4);
    expect(height).to.be.closeTo(240 * Math.cos((14 * Math.PI) / 180) + 360 * Math.sin((14 * Math.PI) / 180), 4);
  });

  it('trims the border off each side', async () => {
    const file = ['a.png', await scanPng({ ...table, photos: [upright], noise: 0 })] as const;
    const all = await Promise.all(
      [0, 1, 10].map(async (borderSize) => (await sizes(await extract(file, { borderSize })))[0]),
    );
    expect(all).to.deep.equal(['300x200', '298x198', '280x180']);
    expect((await extract(file, { borderSize: 100 })).code).to.equal('PHOTOS_NONE');
  });

  it('skips areas that are too small or too similar to the background', async () => {
    const small: Photo = { x: 700, y: 500, width: 80, height: 60, angle: 0, seed: 5 };
    const file = ['a.png', await scanPng({ ...table, photos: [upright, small] })] as const;
    expect((await extract(file)).files).to.have.length(1);
    expect((await extract(file, { minArea: 4000 })).files).to.have.length(2);
    expect((await extract(file, { minArea: 4000, minContourArea: 6000 })).files).to.have.length(1);
    expect((await extract(file, { tolerance: 255 })).code).to.equal('PHOTOS_NONE');
  });

  it('treats a picture in a frame as part of it', async () => {
    const framed = await sharp(await scanPng({ ...table, photos: [upright] }))
      .composite([
        {
          input: Buffer.from(
            '<svg width="1000" height="800"><rect x="20" y="20" width="900" height="700" fill="none" ' +
              'stroke="#204060" stroke-width="12"/></svg>',
          ),
          left: 0,
          top: 0,
        },
      ])
      .png()
      .toBuffer();
    expect(await sizes(await extract(['a.png', framed]))).to.deep.equal(['910x710']);
  });

  it('renders the pages of a PDF and numbers photos across all of them', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    for (const places of [[40, 400], [40]]) {
      const page = document.addPage([720, 400]);
      for (const x of places) page.drawRectangle({ x, y: 50, width: 300, height: 300, color: rgb(0.2, 0.4, x / 500) });
    }
    const ran = await extract(['scans.pdf', await document.save()]);
    expect(ran.names).to.deep.equal(['scans_processed_1.png', 'scans_processed_2.png', 'scans_processed_3.png']);
    for (const size of await sizes(ran))
      for (const side of size.split('x')) expect(Number(side)).to.be.closeTo((300 * 100) / 72, 3);
  });

  it('cuts the same photo from a drawn page, whatever else is on it', async () => {
    const square = (page: PDFPage, [x, y]: readonly [number, number], angle: number): void => {
      page.drawRectangle({ x, y, width: 100, height: 100, color: rgb(0.2, 0.4, 0.7), rotate: degrees(angle) });
      const turn = (angle * Math.PI) / 180;
      const [along, up] = [30 * Math.cos(turn) - 40 * Math.sin(turn), 30 * Math.sin(turn) + 40 * Math.cos(turn)];
      page.drawCircle({ x: x + along, y: y + up, size: 20, color: rgb(0.9, 0.8, 0.1) });
    };
    const places = [0, 1, 2, 3, 4, 5].map((row) => [60 + row * 75, 60 + row * 170] as const);
    for (const angle of [0, 20]) {
      const document = await PDFDocument.create({ updateMetadata: false });
      for (const place of places) square(document.addPage([612, 1152]), place, angle);
      const together = document.addPage([612, 1152]);
      for (const place of [...places].reverse()) square(together, place, angle);
      const { files } = await runOperation(
        extractImageScans,
        ['a.pdf', await document.save()],
        {},
        {
          settings: { 'system.maxDPI': 300 },
        },
      );
      expect(files).to.have.length(12);
      // Pages of a single photo draw a part, the last one all of it.
      for (const [i] of places.entries()) {
        const [alone, among] = [files[i]!, files[11 - i]!];
        expect(await sizes({ files: [alone] } as unknown as Ran)).to.deep.equal(
          await sizes({ files: [among] } as unknown as Ran),
        );
        const [one, other] = [await sharp(alone).raw().toBuffer(), await sharp(among).raw().toBuffer()];
        expect(one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at]!)), 0)).to.be.lessThan(4);
        expect(new Set(one).size, 'it shows something').to.be.greaterThan(5);
      }
    }
  });

  it('counts overlapping photos as one: three on two pages give two', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    for (const colours of [[rgb(0.1, 0.6, 0.2), rgb(0.7, 0.1, 0.1)], [rgb(0.1, 0.2, 0.8)]]) {
      const page = document.addPage([612, 792]);
      for (const color of colours) page.drawRectangle({ x: 156, y: 246, width: 300, height: 300, color });
    }
    expect((await extract(['scans.pdf', await document.save()])).names).to.deep.equal([
      'scans_processed_1.png',
      'scans_processed_2.png',
    ]);
  });

  it("accepts JPEG, BMP and TIFF, every frame of it, and applies the camera's orientation", async () => {
    const pixels = sharp(await scanPixels({ ...table, photos: [upright] }), {
      raw: { width: 1000, height: 800, channels: 3 },
    });
    expect((await extract(['a.jpg', await pixels.clone().jpeg({ quality: 95 }).toBuffer()])).files).to.have.length(1);
    const [turned] = await sizes(
      await extract(['a.jpg', await pixels.clone().withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer()]),
    );
    const [width = 0, height = 0] = (turned ?? '').split('x').map(Number);
    expect(height).to.be.greaterThan(width);
    expect((await extract(['a.bmp', bmpOf(await pixels.clone().raw().toBuffer(), 1000, 800)])).files).to.have.length(1);
    const both = sharp(Buffer.concat([await pixels.clone().raw().toBuffer(), await pixels.clone().raw().toBuffer()]), {
      raw: { width: 1000, height: 1600, channels: 3, pageHeight: 800 },
    });
    expect((await extract(['a.tiff', await both.tiff().toBuffer()])).files).to.have.length(2);
  });

  it('refuses scans without photos, damaged images and numbers out of range', async () => {
    const blank = ['a.png', await scanPng({ ...table, photos: [] })] as const;
    expect((await extract(blank)).code).to.equal('PHOTOS_NONE');
    expect((await extract(['a.png', (await scanPng(table)).subarray(0, 5000)])).code).to.equal('IMAGE_UNREADABLE');
    const pdf = await PDFDocument.create({ updateMetadata: false });
    pdf.addPage([720, 400]).drawRectangle({ x: 40, y: 50, width: 300, height: 300, color: rgb(0.2, 0.4, 0.6) });
    expect((await extract(['a.pdf', await locked(await pdf.save(), 'secret')])).code).to.equal('PDF_ENCRYPTED');
    for (const params of [
      { angleThreshold: 91 },
      { tolerance: -1 },
      { minArea: '1.5' },
      { minContourArea: 'x' },
      { borderSize: -1 },
    ]) {
      expect((await extract(blank, params)).code, JSON.stringify(params)).to.equal('INPUT_INVALID');
    }
  });

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    const error = await runOperation(extractImageScans, ['a.png', await scanPng(table)], {}, { signal }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect((error as Error).message).to.equal('stop');
  });
});
