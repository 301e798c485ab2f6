import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFRawStream, PDFRef, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { compressPdf } from './compress-support.js';
import { joinIdentical } from '../../../file/compression/join-identical.js';
import { openLazily } from '../../../file/reader/index.js';
import { nextLevel, scaledSize, startLevel } from '../../../file/compression/rules.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { runQpdfRaw } from '../../../engines/qpdf/index.js';

function picture(width: number, height: number, channels: 3 | 4): Buffer {
  const pixels = Buffer.alloc(width * height * channels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels;
      pixels[at] = (x * 255) / width;
      pixels[at + 1] = (y * 255) / height;
      pixels[at + 2] = 128 + ((x * 7 + y * 13) % 40);
      if (channels === 4) pixels[at + 3] = Math.hypot(x - width / 2, y - height / 2) < height / 3 ? 255 : 0;
    }
  }
  return pixels;
}

async function album(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const jpeg = await sharp(picture(1200, 900, 3), { raw: { width: 1200, height: 900, channels: 3 } })
    .jpeg({ quality: 96 })
    .toBuffer();
  const png = await sharp(picture(700, 600, 4), { raw: { width: 700, height: 600, channels: 4 } })
    .png()
    .toBuffer();
  // Embedded twice, so that two objects have the same bytes.
  for (const image of [await pdf.embedJpg(jpeg), await pdf.embedJpg(jpeg), await pdf.embedPng(png)]) {
    const page = pdf.addPage([400, 400]);
    page.drawImage(image, { x: 20, y: 60, width: 360, height: 300 });
    page.drawText('Caption', { x: 20, y: 20, size: 18, font });
  }
  return pdf.save({ useObjectStreams: false });
}

/** The graphics state of the first page, which is made at the first call. */
function stateOf(pdf: PDFDocument): PDFRef {
  const { node } = pdf.getPage(0);
  const known = node.Resources()?.lookupMaybe(PDFName.of('ExtGState'), PDFDict)?.get(PDFName.of('Own'));
  if (known instanceof PDFRef) return known;
  const made = pdf.context.register(pdf.context.obj({}));
  node.setExtGState(PDFName.of('Own'), made);
  return made;
}

async function imagesOf(bytes: Uint8Array): Promise<PDFRawStream[]> {
  const pdf = await PDFDocument.load(bytes);
  return pdf.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter(
      (object): object is PDFRawStream =>
        object instanceof PDFRawStream && object.dict.get(PDFName.of('Subtype')) === PDFName.of('Image'),
    );
}

async function expectSound(bytes: Uint8Array): Promise<void> {
  expect(
    (await runQpdfRaw(['--check', 'in.pdf'], { inputs: [{ name: 'in.pdf', bytes }], outputs: [] })).code,
    'qpdf --check',
  ).to.equal(0);
  expect(await withDocument(bytes, {}, (document) => [document.pageCount, document.pageText(0)])).to.deep.equal([
    3,
    'Caption',
  ]);
}

/** Mean colour difference between the rendered pages of two documents, 0 to 255. */
async function difference(a: Uint8Array, b: Uint8Array, page: number): Promise<number> {
  const shown = (bytes: Uint8Array): Promise<Uint8Array> =>
    withDocument(bytes, {}, (document) =>
      document.withPage(page, (handle) => {
        const { pdfium } = document;
        const bitmap = pdfium.FPDFBitmap_Create(100, 100, 0);
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, 100, 100, 0xffffffff);
        pdfium.FPDF_RenderPageBitmap(bitmap, handle, 0, 0, 100, 100, 0, 0);
        const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
        const pixels = pdfium.pdfium.HEAPU8.slice(at, at + 40_000);
        pdfium.FPDFBitmap_Destroy(bitmap);
        return pixels;
      }),
    );
  const [first, second] = [await shown(a), await shown(b)];
  return first.reduce((sum, value, i) => sum + Math.abs(value - (second[i] ?? 0)), 0) / first.length;
}

describe('compressPdf', function () {
  this.timeout(60_000);
  let input: Uint8Array;
  before(async () => {
    input = await album();
  });

  it('leaves images alone in a document whose transfer functions change their colours', async () => {
    const pdf = await PDFDocument.load(await album());
    const table = { FunctionType: 2, Domain: [0, 1], C0: [1], C1: [0], N: 1 };
    for (const [value, isChanged] of [
      [pdf.context.obj(table), false],
      [PDFName.of('Identity'), true],
    ] as const) {
      pdf.context.assign(stateOf(pdf), pdf.context.obj({ Type: 'ExtGState', TR: value }));
      const bytes = await pdf.save({ useObjectStreams: false });
      const { images } = await compressPdf(bytes, { level: 6 });
      expect(images > 0, String(value)).to.equal(isChanged);
    }
  });

  it('returns smaller files that look alike as the level rises', async () => {
    let last = input.length;
    for (const level of [1, 4, 6, 9] as const) {
      const { bytes } = await compressPdf(input, { level });
      expect(bytes.length, `level ${level}`).to.be.at.most(last);
      last = bytes.length;
      await expectSound(bytes);
      for (const page of [0, 1, 2])
        expect(await difference(input, bytes, page), `page ${page} at level ${level}`).to.be.lessThan(6);
    }
  });

  it('leaves images alone at the lossless levels', async () => {
    const { images, bytes } = await compressPdf(input, { level: 3 });
    expect(images).to.equal(0);
    expect(await difference(input, bytes, 0)).to.equal(0);
  });

  it('keeps one copy of identical images, and transparency', async () => {
    const left = await imagesOf((await compressPdf(input, { level: 5 })).bytes);
    expect(left.filter(({ dict }) => dict.get(PDFName.of('Filter')) === PDFName.of('DCTDecode'))).to.have.length(1);
    expect(left.filter(({ dict }) => dict.has(PDFName.of('SMask')))).to.have.length(1);
  });

  it('converts images to grey on request, at every level', async () => {
    for (const level of [1, 6] as const) {
      const { bytes } = await compressPdf(input, { level, grayscale: true });
      await expectSound(bytes);
      for (const { dict } of await imagesOf(bytes))
        expect(dict.get(PDFName.of('ColorSpace'))).to.equal(PDFName.of('DeviceGray'));
    }
  });

  it('converts images to one bit per pixel for line art', async () => {
    const { bytes } = await compressPdf(input, { level: 1, lineArt: { threshold: 55, edgeLevel: 2 } });
    await expectSound(bytes);
    const bits = (await imagesOf(bytes)).map(({ dict }) => dict.get(PDFName.of('BitsPerComponent'))?.toString());
    expect(bits).to.include('1');
  });

  it('raises the level until the target is met, and reports when it was missed', async () => {
    const target = Math.floor(input.length * 0.25);
    const met = await compressPdf(input, { level: 5, targetBytes: target });
    expect([met.achieved, met.bytes.length <= target]).to.deep.equal([true, true]);
    const missed = await compressPdf(input, { level: 5, targetBytes: 500 });
    expect([missed.achieved, missed.level]).to.deep.equal([false, 9]);
    await expectSound(missed.bytes);
  });

  it('linearizes the result on request', async () => {
    const { bytes, linearized } = await compressPdf(input, { level: 5, linearize: true });
    expect(linearized).to.equal(true);
    expect(Buffer.from(bytes.subarray(0, 1024)).includes('/Linearized')).to.equal(true);
    await expectSound(bytes);
  });

  it('never returns more bytes than the input has', async () => {
    const { bytes } = await compressPdf(input, { level: 9 });
    for (const options of [
      { level: 1 },
      { level: 9 },
      { level: 5, linearize: true, normalize: true, grayscale: true },
    ] as const) {
      expect((await compressPdf(bytes, options)).bytes.length).to.be.at.most(bytes.length);
    }
  });
});

describe('rules of compression', () => {
  it('leave small images and small changes alone', () => {
    expect(scaledSize(400, 3000, 9)).to.equal(undefined);
    expect(scaledSize(410, 2000, 9)).to.equal(undefined);
    expect(scaledSize(1000, 1000, 3)).to.equal(undefined);
  });

  it('limit the scale at both ends', () => {
    expect(scaledSize(4000, 2000, 4)).to.deep.equal({ width: 3000, height: 1500 });
    expect(scaledSize(900, 800, 9)).to.deep.equal({ width: 810, height: 720 });
    expect(scaledSize(1200, 1000, 9)).to.deep.equal({ width: 480, height: 400 });
  });

  it('choose the first level by the ratio and the next by the distance', () => {
    expect([0.95, 0.85, 0.5, 0.12, 0.01].map(startLevel)).to.deep.equal([1, 2, 5, 8, 9]);
    expect([
      nextLevel(1, 250, 100),
      nextLevel(1, 170, 100),
      nextLevel(1, 110, 100),
      nextLevel(8, 900, 100),
      nextLevel(9, 900, 100),
    ]).to.deep.equal([4, 3, 2, 9, undefined]);
  });
});

describe('compressing documents that claim PDF/A', () => {
  for (const [part, form] of [
    [1, 'table'],
    [2, 'stream'],
  ] as const)
    it(`writes a cross-reference ${form} for part ${part}`, async () => {
      const document = await PDFDocument.load(await album(), { updateMetadata: false });
      const xmp =
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
        '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" ' +
        `pdfaid:part="${part}" pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>`;
      const metadata = document.context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' });
      document.catalog.set(PDFName.of('Metadata'), document.context.register(metadata));
      const { bytes, unchanged } = await compressPdf(await document.save({ useObjectStreams: false }), { level: 1 });
      expect([unchanged, openLazily(bytes).crossReference?.form]).to.deep.equal([false, form]);
    });
});

describe('joining what is the same', () => {
  it('joins fonts that differ only in the numbers of their parts, and leaves pages apart', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    for (let n = 0; n < 3; n++) {
      const file = context.register(PDFRawStream.of(context.obj({ Length1: 600 }) as PDFDict, Buffer.alloc(600, 7)));
      const descriptor = context.register(context.obj({ Type: 'FontDescriptor', FontName: 'A', FontFile2: file }));
      const below = context.register(
        context.obj({ Type: 'Font', Subtype: 'CIDFontType2', FontDescriptor: descriptor }),
      );
      const font = context.register(context.obj({ Type: 'Font', Subtype: 'Type0', DescendantFonts: [below] }));
      document.addPage([100, 100]).node.setFontDictionary(PDFName.of('F1'), font);
    }
    joinIdentical(
      context,
      context
        .enumerateIndirectObjects()
        .filter((entry): entry is [PDFRef, PDFRawStream] => entry[1] instanceof PDFRawStream),
    );
    const again = await PDFDocument.load(await document.save());
    expect(again.getPageCount()).to.equal(3);
    expect(
      new Set(again.getPages().map((page) => page.node.Resources()?.get(PDFName.of('Font'))?.toString())).size,
    ).to.equal(1);
    const types = again.context
      .enumerateIndirectObjects()
      .map(([, object]) =>
        object instanceof PDFRawStream
          ? 'stream'
          : object instanceof PDFDict
            ? String(object.get(PDFName.of('Type')))
            : '',
      );
    expect(types.filter((type) => ['stream', '/Font', '/FontDescriptor'].includes(type)).sort()).to.deep.equal([
      '/Font',
      '/Font',
      '/FontDescriptor',
      'stream',
    ]);
  });
});
