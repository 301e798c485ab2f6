import { expect } from 'chai';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { imagesToPdf as toPdf, type ImagesToPdfOptions, type PictureFile } from '../../src/functions/images-to-pdf.js';
import { pdfToImages } from '../../src/functions/pdf-to-images.js';

const defaults: ImagesToPdfOptions = { fitOption: 'fillPage', colorType: 'color', autoRotate: false };
const wide = () => sharp({ create: { width: 60, height: 30, channels: 3, background: '#2060a0' } });
const png = (image: Sharp): PictureFile => ({
  kind: 'png',
  bytes: async () => new Uint8Array(await image.png().toBuffer()),
});

let folder: string;

async function imagesToPdf(files: readonly PictureFile[], options: ImagesToPdfOptions): Promise<Uint8Array> {
  const target = join(await mkdtemp(join(folder, 'run-')), 'out.pdf');
  await toPdf(files, target, options);
  return readFile(target);
}

async function firstPage(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const page = (await PDFDocument.load(bytes)).getPage(0);
  return { width: Math.round(page.getWidth()), height: Math.round(page.getHeight()) };
}

async function rendered(bytes: Uint8Array): Promise<{ data: Buffer; info: OutputInfo }> {
  let image: Uint8Array = new Uint8Array();
  await pdfToImages(
    bytes,
    { format: 'png', colour: 'color', dpi: 72, annotations: false, select: () => [0] },
    async (_n, made) => void (image = made),
  );
  return sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
}

describe('imagesToPdf', function () {
  this.timeout(60_000);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-pictures-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('stretches to a portrait A4 page', async () => {
    const bytes = await imagesToPdf([png(wide())], defaults);
    expect(await firstPage(bytes)).to.deep.equal({ width: 595, height: 842 });
    const { data, info } = await rendered(bytes);
    for (const [x, y] of [
      [2, 2],
      [592, 2],
      [2, 838],
      [592, 838],
    ] as const)
      expect([...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]).to.deep.equal([
        0x20, 0x60, 0xa0,
      ]);
  });

  it('lays the page on its side for wide pictures when asked', async () => {
    expect(await firstPage(await imagesToPdf([png(wide())], { ...defaults, autoRotate: true }))).to.deep.equal({
      width: 842,
      height: 595,
    });
    const tall = sharp({ create: { width: 30, height: 60, channels: 3, background: 'red' } });
    expect(await firstPage(await imagesToPdf([png(tall)], { ...defaults, autoRotate: true }))).to.deep.equal({
      width: 595,
      height: 842,
    });
  });

  it('scales and centres without changing the proportions', async () => {
    const { data, info } = await rendered(
      await imagesToPdf([png(wide())], { ...defaults, fitOption: 'maintainAspectRatio' }),
    );
    const isPicture = (y: number): boolean => data[(y * info.width + 300) * 3] === 0x20;
    const rows = Array.from({ length: info.height }, (_, y) => y).filter(isPicture);
    expect(rows.length).to.be.within(296, 299);
    expect(Math.abs((rows[0]! + rows.at(-1)!) / 2 - info.height / 2)).to.be.at.most(1);
  });

  it('comes back from a picture sized page pixel by pixel', async () => {
    const noise = sharp({
      create: {
        width: 50,
        height: 40,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 50 },
      },
    });
    const original = await noise.raw().toBuffer();
    const file = sharp(original, { raw: { width: 50, height: 40, channels: 3 } });
    const { data, info } = await rendered(
      await imagesToPdf([png(file)], { ...defaults, fitOption: 'fitDocumentToImage' }),
    );
    expect([info.width, info.height]).to.deep.equal([50, 40]);
    expect(Buffer.compare(data, original)).to.equal(0);
  });

  it('keeps the order of the files', async () => {
    const bytes = await imagesToPdf(
      [png(wide()), png(sharp({ create: { width: 10, height: 20, channels: 3, background: 'red' } }))],
      { ...defaults, fitOption: 'fitDocumentToImage' },
    );
    expect((await PDFDocument.load(bytes)).getPages().map((page) => page.getWidth())).to.deep.equal([60, 10]);
  });

  it('stops when the signal is aborted', async () => {
    const error = await imagesToPdf([png(wide())], { ...defaults, signal: AbortSignal.abort() }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('name', 'AbortError');
  });
});
