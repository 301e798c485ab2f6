import { expect } from 'chai';
import { deflateSync } from 'node:zlib';
import { type PDFContext, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import sharp from 'sharp';
import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';
import { encodeG4 } from '@quire/document/images';
import { decompressPdf } from '../../src/operations/decompress-pdf.op.js';
import { fixture } from '../page-pixels.js';
import { runOperation } from '../pictures/run-operation.js';

type Entries = Record<string, unknown>;

/** A document whose page draws these images in a row. */
async function withImages(
  make: (context: PDFContext) => Promise<readonly PDFRawStream[]>,
  more: (document: PDFDocument) => void = () => undefined,
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const images = await make(context);
  const page = document.addPage([100 * images.length, 100]);
  page.node.set(
    PDFName.of('Resources'),
    context.obj({ XObject: Object.fromEntries(images.map((image, i) => [`I${i}`, context.register(image)])) }),
  );
  page.node.set(
    PDFName.of('Contents'),
    context.register(
      context.flateStream(images.map((_image, i) => `q 80 0 0 80 ${i * 100 + 10} 10 cm /I${i} Do Q`).join('\n')),
    ),
  );
  more(document);
  return document.save();
}

const image = (context: PDFContext, data: Uint8Array, more: Entries): PDFRawStream =>
  context.stream(data, {
    Type: 'XObject',
    Subtype: 'Image',
    Width: 40,
    Height: 30,
    BitsPerComponent: 8,
    ...more,
  } as never);
const noise = (channels: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: 40 * 30 * channels }, (_unused, i) => (i * 37 + (i >> 4) * 11) % 256));

async function jpeg(channels: 1 | 3 | 4, colours: 'b-w' | 'srgb' | 'cmyk'): Promise<Buffer> {
  const source = sharp(noise(channels), { raw: { width: 40, height: 30, channels } });
  return (colours === 'cmyk' ? source.toColourspace('cmyk') : source.toColourspace(colours))
    .jpeg({ quality: 85 })
    .toBuffer();
}

async function pixels(bytes: Uint8Array): Promise<Buffer> {
  return withDocument(bytes, {}, (document) =>
    Buffer.from(renderPage(document, 0, { width: 500, height: 100, annotations: false })),
  );
}

async function decompress(bytes: Uint8Array): Promise<{
  readonly bytes: Buffer;
  readonly streams: readonly PDFRawStream[];
  readonly report: Readonly<Record<string, unknown>>;
}> {
  const { files, report, code } = await runOperation(decompressPdf, ['in.pdf', bytes]);
  expect(code).to.equal(undefined);
  const { context } = await PDFDocument.load(files[0]!, { updateMetadata: false });
  return {
    bytes: files[0]!,
    streams: context
      .enumerateIndirectObjects()
      .flatMap(([, object]) => (object instanceof PDFRawStream ? [object] : [])),
    report,
  };
}

describe('misc/decompress-pdf', () => {
  it('stores every stream without a filter and uses no object streams', async () => {
    const { bytes, streams } = await decompress(
      await withImages(async (context) => [
        image(context, deflateSync(noise(3)), { ColorSpace: 'DeviceRGB', Filter: 'FlateDecode' }),
        image(context, Buffer.from(`${noise(1).toString('hex')}>`), {
          ColorSpace: 'DeviceGray',
          Filter: ['ASCIIHexDecode'],
        }),
      ]),
    );
    expect(streams.map(({ dict }) => dict.get(PDFName.of('Filter')))).to.deep.equal(streams.map(() => undefined));
    const text = bytes.toString('latin1');
    expect(text).not.to.match(/\/ObjStm|\/XRef|\/DecodeParms/);
    expect(text).to.contain('/I0 Do');
    expect(text).to.contain(noise(3).toString('latin1'));
  });

  it('decodes JPEG and CCITT fax to their samples, so that the page looks the same', async () => {
    const bits = Uint8Array.from({ length: 5 * 30 }, (_unused, i) => (i * 73) % 256);
    const grey = Uint8Array.from({ length: 40 * 30 }, (_unused, i) =>
      (bits[Math.floor(i / 40) * 5 + ((i % 40) >> 3)]! >> (7 - (i % 8))) & 1 ? 255 : 0,
    );
    const file = await withImages(async (context) => [
      image(context, await jpeg(1, 'b-w'), { ColorSpace: 'DeviceGray', Filter: 'DCTDecode' }),
      image(context, await jpeg(3, 'srgb'), { ColorSpace: 'DeviceRGB', Filter: 'DCTDecode' }),
      image(context, deflateSync(await jpeg(3, 'srgb')), {
        ColorSpace: 'DeviceRGB',
        Filter: ['FlateDecode', 'DCTDecode'],
        DecodeParms: [null, null],
      }),
      image(context, await jpeg(4, 'cmyk'), {
        ColorSpace: 'DeviceCMYK',
        Filter: 'DCTDecode',
        Decode: [1, 0, 1, 0, 1, 0, 1, 0],
      }),
      image(context, encodeG4(packed(grey), 40, 30), {
        ColorSpace: 'DeviceGray',
        BitsPerComponent: 1,
        Filter: 'CCITTFaxDecode',
        DecodeParms: { K: -1, Columns: 40, Rows: 30 },
      }),
    ]);
    const after = await decompress(file);
    expect(after.report).to.deep.include({ kept: 0 });
    expect(after.streams.filter(({ dict }) => dict.has(PDFName.of('Filter')))).to.deep.equal([]);
    expect(Buffer.compare(await pixels(file), await pixels(after.bytes))).to.equal(0);
  });

  it('leaves streams that it cannot decode exactly unchanged', async () => {
    const whole = deflateSync(noise(3));
    const broken = whole.subarray(0, whole.length >> 1);
    const jpx = Buffer.from('0000000c6a5020200d0a870a', 'hex');
    const wrong = await jpeg(1, 'b-w');
    const { streams, report } = await decompress(
      await withImages(async (context) => [
        image(context, broken, { ColorSpace: 'DeviceRGB', Filter: 'FlateDecode' }),
        image(context, jpx, { Filter: 'JPXDecode' }),
        image(context, Buffer.from('x'), { ColorSpace: 'DeviceGray', Filter: 'Made-up' }),
        image(context, wrong, { ColorSpace: 'DeviceRGB', Filter: 'DCTDecode' }),
      ]),
    );
    const left = streams.filter(({ dict }) => dict.has(PDFName.of('Filter')));
    expect(left.map(({ contents }) => Buffer.from(contents).toString('hex')).sort()).to.deep.equal(
      [broken, jpx, Buffer.from('x'), wrong].map((data) => data.toString('hex')).sort(),
    );
    expect(report).to.deep.include({ kept: 4 });
  });

  it('refuses a stream that inflates without limit', async () => {
    const bomb = await withImages(async (context) => [
      image(context, deflateSync(Buffer.alloc(40_000_000)), { ColorSpace: 'DeviceRGB', Filter: 'FlateDecode' }),
    ]);
    expect((await runOperation(decompressPdf, ['bomb.pdf', bomb])).code).to.equal('PDF_RATIO');
  });

  it('keeps the page of a fixture, and refuses a damaged one', async () => {
    const { files } = await runOperation(decompressPdf, ['a.b.pdf', await fixture('picture.pdf')]);
    expect((await PDFDocument.load(files[0]!)).getPageCount()).to.equal(1);
    expect((await runOperation(decompressPdf, ['x.pdf', await fixture('header-only.pdf')])).code).to.equal(
      'PDF_DAMAGED',
    );
  });
});

/** Pixels of 0 and 255 as bits, rows padded. */
function packed(grey: Uint8Array): Uint8Array {
  const out = new Uint8Array(5 * 30);
  grey.forEach((value, i) => {
    if (value > 0) out[Math.floor(i / 40) * 5 + ((i % 40) >> 3)]! |= 0x80 >> (i % 8);
  });
  return out;
}
