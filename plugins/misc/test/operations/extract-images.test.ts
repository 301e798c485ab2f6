import { expect } from 'chai';
import Joi from 'joi';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { extractImages } from '../../src/operations/extract-images.op.js';
import { codedImage, gradient, imageOf, imagesPdf, pageWith } from '../pictures/embedded.js';
import { locked } from '../pictures/locked.js';
import { type Ran, runOperation } from '../pictures/run-operation.js';

async function extract(
  bytes: Uint8Array,
  params: Record<string, unknown> = {},
): Promise<Pick<Ran, 'names' | 'report' | 'code'> & { readonly pictures: readonly Buffer[] }> {
  const { files, ...ran } = await runOperation(extractImages, ['my.scan.pdf', bytes], params);
  return { ...ran, pictures: files };
}

/** Pixels as `r,g,b,a` each; grey ones as one number. */
async function pixels(png: Buffer): Promise<string[]> {
  const { hasAlpha, space } = await sharp(png).metadata();
  const { data, info } = await (space === 'b-w' && !hasAlpha ? sharp(png).toColourspace('b-w') : sharp(png))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: info.width * info.height }, (_none, i) =>
    [...data.subarray(i * info.channels, (i + 1) * info.channels)].join(),
  );
}

describe('extract-images', () => {
  it("extracts each image once, with its first page, those of forms after the page's own", async () => {
    const { names, report } = await extract(await imagesPdf());
    expect(names).to.deep.equal([
      'my.scan_page_1_1.png',
      'my.scan_page_1_2.png',
      'my.scan_page_1_3.png',
      'my.scan_page_1_4.png',
      'my.scan_page_2_1.png',
    ]);
    expect(report).to.deep.equal({ images: 5, unreadable: 0 });
  });

  it('keeps the size and, in png, soft masks, colour keys and image masks', async () => {
    const { pictures } = await extract(await imagesPdf());
    const [photo, glass, keyed, stencil, deep] = await Promise.all(pictures.map(pixels));
    expect(photo).to.have.length(40 * 30);
    expect([glass?.[0], glass?.[19]]).to.deep.equal(['0,0,40,255', '255,0,40,0']);
    expect(keyed).to.deep.equal(['255,0,0,255', '0,255,0,255', '0,0,255,255', keyed?.[3]]);
    expect(keyed?.[3]).to.match(/,0$/);
    expect(stencil?.slice(0, 8)).to.deep.equal(['255', '255', '255', '255', '0', '0', '0', '0']);
    expect(deep?.[1]).to.equal('255');
    expect(Number(deep?.[0])).to.be.closeTo(128, 1);
  });

  it('shows transparency as white in jpeg and gif', async () => {
    for (const format of ['jpeg', 'gif']) {
      const { pictures } = await extract(await imagesPdf(), { format });
      expect((await sharp(pictures[1]).metadata()).format).to.equal(format);
      const { data, info } = await sharp(pictures[1])
        .removeAlpha()
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(
        [info.width, info.height, ...data.subarray(19 * 3, 20 * 3)].map((value, i) =>
          i < 2 ? value : Math.round(value / 16),
        ),
      ).to.deep.equal([20, 10, 16, 16, 16]);
    }
  });

  it('reads every colour space, depth and decode array as viewers do', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    const tint = context.register(
      context.stream('{ dup 0 exch 0 exch 0 }', { FunctionType: 4, Domain: [0, 1], Range: [0, 1, 0, 1, 0, 1, 0, 1] }),
    );
    const whitePoint = { WhitePoint: [0.9505, 1, 1.089] };
    const cmyk = await sharp(gradient(16, 16), { raw: { width: 16, height: 16, channels: 3 } })
      .toColourspace('cmyk')
      .jpeg({ quality: 100 })
      .toBuffer();
    pageWith(document, {
      A: imageOf(context, 8, 1, Uint8Array.from([0b10101010]), { BitsPerComponent: 1, ColorSpace: 'DeviceGray' }),
      B: imageOf(context, 8, 1, Uint8Array.from([0b10101010]), {
        BitsPerComponent: 1,
        ColorSpace: 'DeviceGray',
        Decode: [1, 0],
      }),
      C: imageOf(context, 4, 1, Uint8Array.from([0b00011011]), { BitsPerComponent: 2, ColorSpace: 'DeviceGray' }),
      D: imageOf(context, 2, 1, Uint8Array.from([0xf0, 0x00, 0xf0]), { BitsPerComponent: 4, ColorSpace: 'DeviceRGB' }),
      E: imageOf(context, 2, 1, Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 255]), { ColorSpace: 'DeviceCMYK' }),
      F: imageOf(context, 2, 1, Uint8Array.from([0, 255]), { ColorSpace: ['Separation', 'Spot', 'DeviceCMYK', tint] }),
      G: imageOf(context, 2, 1, Uint8Array.from([255, 128, 128, 0, 128, 128]), {
        ColorSpace: ['Lab', { ...whitePoint, Range: [-128, 127, -128, 127] }],
      }),
      H: imageOf(context, 2, 1, Uint8Array.from([255, 0, 0, 255, 255, 255]), { ColorSpace: ['CalRGB', whitePoint] }),
      I: codedImage(context, 16, 16, cmyk, {
        ColorSpace: 'DeviceCMYK',
        Filter: 'DCTDecode',
        Decode: [1, 0, 1, 0, 1, 0, 1, 0],
      }),
    });
    const { pictures } = await extract(await document.save());
    const [a, b, c, d, e, f, g, h] = await Promise.all(pictures.map(pixels));
    expect(a).to.deep.equal(['255', '0', '255', '0', '255', '0', '255', '0']);
    expect(b).to.deep.equal([...(a ?? [])].reverse());
    expect(c).to.deep.equal(['0', '85', '170', '255']);
    expect(d).to.deep.equal(['255,0,0', '0,255,0']);
    const near = (found: string | undefined, wanted: readonly number[], off: number): void => {
      for (const [i, value] of (found ?? '').split(',').entries())
        expect(Number(value), found).to.be.closeTo(wanted[i % 3] ?? 0, off);
    };
    near(e?.[0], [255, 255, 255], 1);
    near(e?.[1], [35, 31, 32], 36);
    near(f?.[0], [255, 255, 255], 1);
    expect(f?.[1]).not.to.equal(f?.[0]);
    near(g?.[0], [255, 255, 255], 3);
    near(g?.[1], [0, 0, 0], 3);
    near(h?.[0], [255, 0, 0], 20);
    near(h?.[1], [255, 255, 255], 3);
    const corners = async (picture: Buffer): Promise<number[]> => {
      const { data } = await sharp(picture).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
      return [0, 15, 240, 255].flatMap((i) => [...data.subarray(i * 3, i * 3 + 3)]);
    };
    const wanted = await corners(cmyk);
    for (const [i, value] of (await corners(pictures[8]!)).entries())
      expect(value, 'a corner of the CMYK picture').to.be.closeTo(wanted[i] ?? 0, 60);
  });

  it('finds inline images, after those of the resources', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const inline = 'q 10 0 0 10 0 0 cm BI /W 2 /H 1 /CS /RGB /BPC 8 /F /AHx ID ff000000ff00> EI Q';
    pageWith(document, { A: imageOf(document.context, 1, 1, Uint8Array.of(9), { ColorSpace: 'DeviceGray' }) }, inline);
    const { names, pictures } = await extract(await document.save());
    expect(names).to.deep.equal(['my.scan_page_1_1.png', 'my.scan_page_1_2.png']);
    expect(await pixels(pictures[1]!)).to.deep.equal(['255,0,0', '0,255,0']);
  });

  it('returns nothing for a document without images, and png by default', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    document.addPage();
    expect(await extract(await document.save())).to.deep.include({ names: [], report: { images: 0, unreadable: 0 } });
    expect(extractImages.params(Joi).validate({}).value).to.deep.equal({ format: 'png' });
    expect(extractImages.params(Joi).validate({ format: 'PNG' }).error?.message).to.match(/png, jpeg, gif/);
  });

  it('skips images that cannot be decoded and reports how many', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    pageWith(document, {
      A: codedImage(context, 5, 5, Buffer.from('no jpeg'), { ColorSpace: 'DeviceRGB', Filter: 'DCTDecode' }),
      B: imageOf(context, 1, 1, Uint8Array.of(9), { ColorSpace: 'DeviceGray' }),
      C: imageOf(context, 0, 0, Uint8Array.of(9), { ColorSpace: 'DeviceGray' }),
    });
    const { names, report } = await extract(await document.save());
    expect(names).to.deep.equal(['my.scan_page_1_1.png']);
    expect(report).to.deep.equal({ images: 1, unreadable: 2 });
  });

  it('reads encrypted documents that need no password, and refuses those that do', async () => {
    const plain = await extract(await imagesPdf());
    expect((await extract(await locked(await imagesPdf(), ''))).pictures).to.deep.equal(plain.pictures);
    expect((await extract(await locked(await imagesPdf(), 'secret'))).code).to.equal('PDF_ENCRYPTED');
  });

  it('refuses an image with too many pixels, and one too long for the format', async () => {
    const sized = async (width: number, height: number): Promise<Uint8Array> => {
      const document = await PDFDocument.create({ updateMetadata: false });
      pageWith(document, {
        A: imageOf(document.context, width, height, new Uint8Array(Math.min(100_000, width * height)), {
          ColorSpace: 'DeviceGray',
        }),
      });
      return document.save();
    };
    expect((await extract(await sized(100_000, 100_000))).code).to.equal('IMAGE_TOO_LARGE');
    expect((await extract(await sized(70_000, 1), { format: 'jpeg' })).code).to.equal('INPUT_INVALID');
    expect((await extract(await sized(70_000, 1))).names).to.have.length(1);
  });

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    const error = await runOperation(extractImages, ['a.pdf', await imagesPdf()], {}, { signal }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect((error as Error).message).to.equal('stop');
  });
});
