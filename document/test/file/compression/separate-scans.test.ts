import { expect } from 'chai';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
} from 'pdf-lib';
import sharp from 'sharp';
import { withDocument } from '../../../engines/pdfium/index.js';
import { runQpdfRaw } from '../../../engines/qpdf/index.js';
import type { CompressLevel } from '../../../file/compression/index.js';
import { type Plane, similarity } from '../../../images/mixed-raster/index.js';
import { srgbProfile } from '../../../images/icc/index.js';
import { isNightly } from '../../../../test/suites/nightly.js';
import { photographedPage, type ScannedPage, scannedPage, textLines } from '../../images/scan-pages.js';
import { compressPdf } from './compress-support.js';

const [WIDTH, HEIGHT] = [595, 842];

interface Sheet {
  readonly document: PDFDocument;
  readonly context: PDFContext;
  readonly image: PDFRawStream;
  readonly ref: PDFRef;
  /** The dictionary of the page's XObjects. */
  readonly names: PDFDict;
}

/** A document with a page that shows a scan. */
async function sheetOf(
  page: ScannedPage,
  entries: (context: PDFContext) => object = () => ({}),
  content = `q ${WIDTH} 0 0 ${HEIGHT} 0 0 cm /Scan Do Q`,
): Promise<Sheet> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const pixels = sharp(page.data, { raw: page });
  const jpeg = await (page.channels === 1 ? pixels.toColourspace('b-w') : pixels).jpeg({ quality: 90 }).toBuffer();
  const image = PDFRawStream.of(
    context.obj({
      Type: 'XObject',
      Subtype: 'Image',
      Width: page.width,
      Height: page.height,
      BitsPerComponent: 8,
      ColorSpace: page.channels === 1 ? 'DeviceGray' : 'DeviceRGB',
      Filter: 'DCTDecode',
      ...entries(context),
    }) as PDFDict,
    jpeg,
  );
  const ref = context.register(image);
  const names = context.obj({ Scan: ref }) as PDFDict;
  const { node } = document.addPage([WIDTH, HEIGHT]);
  node.set(PDFName.of('Resources'), context.obj({ XObject: names }));
  node.set(PDFName.of('Contents'), context.register(context.stream(content)));
  return { document, context, image, ref, names };
}

/** What the name of the scan refers to after compression. */
async function compressed(
  { document }: Pick<Sheet, 'document'>,
  options: { readonly level: CompressLevel; readonly grayscale?: boolean },
): Promise<{ before: Uint8Array; bytes: Uint8Array; result: PDFDocument; scan: PDFRawStream }> {
  const before = await document.save({ useObjectStreams: false });
  const { bytes } = await compressPdf(before, options);
  const check = await runQpdfRaw(['--check', 'in.pdf'], { inputs: [{ name: 'in.pdf', bytes }], outputs: [] });
  expect(check.code, 'qpdf --check').to.equal(0);
  const result = await PDFDocument.load(bytes, { updateMetadata: false });
  const scan = result.getPage(0).node.Resources()!.lookup(PDFName.of('XObject'), PDFDict).lookup(PDFName.of('Scan'));
  return { before, bytes, result, scan: scan as PDFRawStream };
}

const subtypeOf = ({ dict }: PDFRawStream): string | undefined => dict.get(PDFName.of('Subtype'))?.toString();
let ink: Promise<ScannedPage> | undefined;
/** A page of text, drawn once. */
const inked = (): Promise<ScannedPage> => (ink ??= scannedPage(textLines('#202020')));

/** An image that a form draws. */
function layerOf({ dict }: PDFRawStream, name: string): PDFRawStream {
  const resources = dict.lookup(PDFName.of('Resources'), PDFDict);
  return resources.lookup(PDFName.of('XObject'), PDFDict).lookup(PDFName.of(name)) as PDFRawStream;
}

/** A page in grey at 150 dpi. */
function shown(bytes: Uint8Array, index = 0): Promise<Plane> {
  const [width, height] = [Math.round((WIDTH * 150) / 72), Math.round((HEIGHT * 150) / 72)];
  return withDocument(bytes, {}, (document) =>
    document.withPage(index, (page) => {
      const { pdfium } = document;
      const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, 4, 0, 0);
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
      const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
      const pixels = pdfium.pdfium.HEAPU8.slice(at, at + width * height * 4);
      pdfium.FPDFBitmap_Destroy(bitmap);
      return { width, height, data: Uint8Array.from({ length: width * height }, (_none, i) => pixels[i * 4 + 1]!) };
    }),
  );
}

async function expectAlike(before: Uint8Array, after: Uint8Array, index = 0): Promise<void> {
  const found = similarity(await shown(before, index), await shown(after, index), 16);
  expect(found?.mean, 'similarity').to.be.greaterThan(0.9);
  expect(found?.worst, 'similarity at the worst place').to.be.greaterThan(0.6);
}

describe('separating scans at levels 6 to 9', function () {
  this.timeout(120_000);

  it('draws a scan as ink over a background, smaller with each level, and as legible', async () => {
    const sheet = await sheetOf(await inked());
    let last = (await compressed(sheet, { level: 5 })).bytes.length;
    for (const level of isNightly ? ([6, 7, 8, 9] as const) : ([6, 9] as const)) {
      const { before, bytes, scan } = await compressed(sheet, { level });
      expect(subtypeOf(scan), `level ${level}`).to.equal('/Form');
      expect(bytes.length, `level ${level}`).to.be.at.most(last);
      last = bytes.length;
      await expectAlike(before, bytes);
    }
  });

  it('keeps an image at level 5, and a photograph at every level', async () => {
    const sheet = await sheetOf(await inked());
    expect(subtypeOf((await compressed(sheet, { level: 5 })).scan)).to.equal('/Image');
    const photo = await sheetOf(await photographedPage());
    for (const level of [6, 9] as const)
      expect(subtypeOf((await compressed(photo, { level })).scan), `level ${level}`).to.equal('/Image');
  });

  it('paints one ink through a stencil mask, and several from an image with that mask', async () => {
    const one = (await compressed(await sheetOf(await inked()), { level: 6 })).scan;
    const mask = layerOf(one, 'I').dict;
    expect(mask.get(PDFName.of('ImageMask'))?.toString()).to.equal('true');
    expect(mask.get(PDFName.of('Filter'))?.toString()).to.equal('/JBIG2Decode');
    const red = await scannedPage(textLines('#101010', { lines: 16 }) + textLines('#c01020', { from: 900, lines: 10 }));
    const several = await compressed(await sheetOf(red), { level: 6 });
    const ink = layerOf(several.scan, 'I').dict;
    expect(ink.get(PDFName.of('ImageMask'))).to.equal(undefined);
    expect((ink.lookup(PDFName.of('Mask')) as PDFRawStream).dict.has(PDFName.of('ImageMask'))).to.equal(true);
    await expectAlike(several.before, several.bytes);
  });

  it('places the form as the image was: turned, mirrored, and on several pages', async () => {
    const sheet = await sheetOf(await inked(), () => ({}), `q 0 ${HEIGHT} ${WIDTH} 0 0 0 cm /Scan Do Q`);
    const second = sheet.document.addPage([WIDTH, HEIGHT]).node;
    second.set(PDFName.of('Resources'), sheet.context.obj({ XObject: { Other: sheet.ref } }));
    second.set(
      PDFName.of('Contents'),
      sheet.context.register(sheet.context.stream('q 400 90 -60 500 100 50 cm /Other Do Q')),
    );
    const { before, bytes } = await compressed(sheet, { level: 7 });
    for (const page of [0, 1]) await expectAlike(before, bytes, page);
    const forms = (await PDFDocument.load(bytes)).context
      .enumerateIndirectObjects()
      .filter(([, object]) => object instanceof PDFRawStream && subtypeOf(object) === '/Form');
    expect(forms).to.have.length(1);
  });

  it('keeps layer, rendering intent, metadata and colour space', async () => {
    const sheet = await sheetOf(await inked(), (target) => ({
      ColorSpace: ['ICCBased', target.register(target.flateStream(srgbProfile(), { N: 3 }))],
      OC: target.register(target.obj({ Type: 'OCG', Name: 'Scans' })),
      Intent: 'Perceptual',
      Metadata: target.register(target.stream('<x/>', { Type: 'Metadata', Subtype: 'XML' })),
    }));
    const { before, bytes, scan } = await compressed(sheet, { level: 6 });
    expect(subtypeOf(scan)).to.equal('/Form');
    for (const key of ['OC', 'Metadata']) expect(scan.dict.has(PDFName.of(key)), key).to.equal(true);
    const background = layerOf(scan, 'B').dict;
    expect(background.get(PDFName.of('Intent'))?.toString()).to.equal('/Perceptual');
    expect(background.lookup(PDFName.of('ColorSpace'), PDFArray).get(0).toString()).to.equal('/ICCBased');
    await expectAlike(before, bytes);
  });

  it('converts scans to grey on request', async () => {
    const { scan } = await compressed(await sheetOf(await inked()), { level: 6, grayscale: true });
    expect(subtypeOf(scan)).to.equal('/Form');
    expect(layerOf(scan, 'B').dict.get(PDFName.of('ColorSpace'))?.toString()).to.equal('/DeviceGray');
  });

  it('separates grey scans and samples that /Decode turns about', async () => {
    const page = await scannedPage(textLines('#202020'), '#f0f0f0', 1);
    const grey = await compressed(await sheetOf(page), { level: 8 });
    expect(subtypeOf(grey.scan)).to.equal('/Form');
    await expectAlike(grey.before, grey.bytes);
    const negative = { ...page, data: page.data.map((value) => 255 - value) as Buffer };
    const turned = await compressed(await sheetOf(negative, () => ({ Decode: [1, 0] })), { level: 8 });
    expect(subtypeOf(turned.scan)).to.equal('/Form');
    await expectAlike(turned.before, turned.bytes);
  });

  it('draws the layers as a group where something may be transparent', async () => {
    const { document, context, ref } = await sheetOf(
      await inked(),
      () => ({}),
      `/G gs ${WIDTH} 0 0 ${HEIGHT} 0 0 cm /Scan Do`,
    );
    document
      .getPage(0)
      .node.set(PDFName.of('Resources'), context.obj({ XObject: { Scan: ref }, ExtGState: { G: { ca: 0.5 } } }));
    const { before, bytes, scan } = await compressed({ document }, { level: 6 });
    expect(scan.dict.lookup(PDFName.of('Group'), PDFDict).get(PDFName.of('S'))?.toString()).to.equal('/Transparency');
    await expectAlike(before, bytes);
  });
});

describe('images that stay images', function () {
  this.timeout(120_000);

  const cases: Readonly<Record<string, (sheet: Sheet) => void>> = {
    'one that a program keeps data about': ({ document, context, ref }) =>
      document.getPage(0).node.set(PDFName.of('PieceInfo'), context.obj({ Editor: { Private: ref } })),
    'one with alternates': ({ context, image }) =>
      image.dict.set(PDFName.of('Alternates'), context.obj([{ DefaultForPrinting: false }])),
    'one with a stencil mask': ({ context, image }) =>
      image.dict.set(PDFName.of('Mask'), context.register(stencil(context))),
    'one that is the soft mask of another': ({ context, image, ref, names }) => {
      const other = image.dict.clone(context);
      other.set(PDFName.of('SMask'), ref);
      names.set(PDFName.of('Other'), context.register(PDFRawStream.of(other, image.contents)));
    },
    'one whose colours the resources define': ({ document, context, names }) =>
      document.getPage(0).node.set(
        PDFName.of('Resources'),
        context.obj({
          XObject: names,
          ColorSpace: { DefaultRGB: ['CalRGB', { WhitePoint: [0.95, 1, 1.09] }] },
        }),
      ),
    'one in a document for printing': ({ document, context }) =>
      claim(document, context, 'xmlns:x="http://www.npes.org/pdfx/ns/id/" x:GTS_PDFXVersion="PDF/X-4"'),
    'one in PDF/A with transparency': ({ document, context, ref }) => {
      claim(document, context, 'xmlns:a="http://www.aiim.org/pdfa/ns/id/" a:part="2" a:conformance="B"');
      document
        .getPage(0)
        .node.set(
          PDFName.of('Resources'),
          context.obj({ XObject: { Scan: ref }, ExtGState: { G: { BM: 'Multiply' } } }),
        );
    },
  };
  for (const [title, change] of Object.entries(cases))
    it(title, async () => {
      const sheet = await sheetOf(await inked());
      change(sheet);
      const { scan } = await compressed(sheet, { level: 7 });
      expect(subtypeOf(scan)).to.equal('/Image');
    });
});

describe('scans in documents that claim PDF/A', function () {
  this.timeout(120_000);

  it('are separated without anything that the standard forbids', async () => {
    const { document, context } = await sheetOf(await inked());
    claim(document, context, 'xmlns:a="http://www.aiim.org/pdfa/ns/id/" a:part="1" a:conformance="B"');
    const { bytes, scan } = await compressed({ document }, { level: 6 });
    expect(subtypeOf(scan)).to.equal('/Form');
    const text = Buffer.from(bytes).toString('latin1');
    for (const forbidden of ['/SMask', '/Group', '/ObjStm', '/Interpolate', '/LZWDecode'])
      expect(text, forbidden).not.to.include(forbidden);
  });
});

function stencil(context: PDFContext): PDFRawStream {
  const entries = { Type: 'XObject', Subtype: 'Image', Width: 8, Height: 1, ImageMask: true, BitsPerComponent: 1 };
  return PDFRawStream.of(context.obj(entries) as PDFDict, Uint8Array.of(0));
}

function claim(document: PDFDocument, context: PDFContext, attributes: string): void {
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    `<rdf:Description rdf:about="" ${attributes.replaceAll('x="http', 'pdfxid="http').replaceAll(' x:', ' pdfxid:')}/>` +
    '</rdf:RDF></x:xmpmeta>';
  const metadata: PDFObject = context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' });
  document.catalog.set(PDFName.of('Metadata'), context.register(metadata));
}
