import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { type PDFContext, PDFName, PDFRawStream, type PDFRef } from 'pdf-lib';
import sharp from 'sharp';
import { encodeG4 } from '../../../images/index.js';
import { form, pageOf } from '../../content/support.js';
import { look } from '../../support.js';
import { box, colourAt, compare, picture, redact, turned } from './support.js';

const SIDE = 100;
const AREA = box(80, 80, 130, 120);
const BLACK = [0, 0, 0];
const DRAW = 'q 160 0 0 160 20 20 cm /Im Do Q';

/** Stripes, so that every area changes something visible. */
function samples(channels: number): Uint8Array {
  return Uint8Array.from(
    { length: SIDE * SIDE * channels },
    (_none, i) =>
      ((Math.floor(i / channels) % SIDE) * 5 + Math.floor(i / channels / SIDE) * 3 + (i % channels) * 40) % 256,
  );
}

function image(context: PDFContext, data: Uint8Array, entries: Record<string, unknown>): PDFRef {
  return context.register(
    PDFRawStream.of(
      context.obj({
        Type: 'XObject',
        Subtype: 'Image',
        Width: SIDE,
        Height: SIDE,
        BitsPerComponent: 8,
        ...entries,
      } as unknown as Record<string, never>),
      data,
    ),
  );
}

const grey = (context: PDFContext, entries: Record<string, unknown> = {}): PDFRef =>
  image(context, deflateSync(samples(1)), { ColorSpace: 'DeviceGray', Filter: 'FlateDecode', ...entries });

describe('removing pixels from images', () => {
  it('repaints uncompressed data and leaves every other sample unchanged', async () => {
    for (const [space, channels] of [
      ['DeviceGray', 1],
      ['DeviceRGB', 3],
      ['DeviceCMYK', 4],
    ] as const) {
      for (const quad of [AREA, turned(100, 100, 60, 30, 25)]) {
        const { bytes, before, counts } = await redact(
          await pageOf(DRAW, (context) => ({
            XObject: {
              Im: image(context, deflateSync(samples(channels)), { ColorSpace: space, Filter: 'FlateDecode' }),
            },
          })),
          [quad],
        );
        expect(counts.images).to.equal(1);
        const pixels = await picture(bytes);
        expect(compare(await picture(before), pixels, [quad], { grow: 6 }).outside, space).to.equal(0);
        expect(
          compare(pixels, pixels, [quad], { grow: 2, blank: colourAt(pixels, 100, 100), tolerance: 3 }).inside,
          space,
        ).to.equal(0);
        expect(Math.max(...colourAt(pixels, 100, 100)), space).to.be.lessThan(60);
      }
    }
  });

  it('repaints in the requested colour', async () => {
    const { bytes } = await redact(
      await pageOf(DRAW, (context) => ({ XObject: { Im: image(context, samples(3), { ColorSpace: 'DeviceRGB' }) } })),
      [{ quad: AREA, colour: [1, 0.5, 0] }],
    );
    expect(colourAt(await picture(bytes), 100, 100)).to.deep.equal([255, 128, 0]);
  });

  it('encodes JPEG and fax images again, and keeps palettes', async () => {
    // Smooth, since JPEG alters stripes each time it is encoded.
    const smooth = Uint8Array.from(
      { length: SIDE * SIDE * 3 },
      (_none, i) => 40 + ((Math.floor(i / 3) % SIDE) * (1 + (i % 3))) / 2,
    );
    const jpeg = await sharp(smooth, { raw: { width: SIDE, height: SIDE, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const bits = Uint8Array.from({ length: 13 * SIDE }, (_none, i) => (i * 37) & 0xff);
    const palette = [...samples(3).subarray(0, 3 * 255), 0, 0, 0];
    for (const [name, make, filter] of [
      [
        'jpeg',
        (context: PDFContext) => image(context, jpeg, { ColorSpace: 'DeviceRGB', Filter: 'DCTDecode' }),
        'DCTDecode',
      ],
      [
        'fax',
        (context: PDFContext) =>
          image(context, encodeG4(bits, SIDE, SIDE), {
            ColorSpace: 'DeviceGray',
            BitsPerComponent: 1,
            Filter: 'CCITTFaxDecode',
            DecodeParms: { K: -1, Columns: SIDE, Rows: SIDE },
          }),
        'CCITTFaxDecode',
      ],
      [
        'palette',
        (context: PDFContext) =>
          image(context, samples(1), {
            ColorSpace: [
              'Indexed',
              'DeviceRGB',
              255,
              context.register(PDFRawStream.of(context.obj({}), Uint8Array.from(palette))),
            ],
          }),
        'FlateDecode',
      ],
    ] as const) {
      const { bytes, before, said } = await redact(
        await pageOf(DRAW, (context) => ({ XObject: { Im: make(context) } })),
        [AREA],
      );
      const pixels = await picture(bytes);
      expect(
        compare(await picture(before), pixels, [AREA], { grow: name === 'jpeg' ? 20 : 6, tolerance: 24 }).outside,
        name,
      ).to.equal(0);
      expect(compare(pixels, pixels, [AREA], { grow: 2, blank: BLACK, tolerance: 24 }).inside, name).to.equal(0);
      expect(said).to.include(`/Filter/${filter}`);
    }
  });

  it('removes shapes from soft masks and stencil masks', async () => {
    const soft = await redact(
      await pageOf(DRAW, (context) => ({ XObject: { Im: grey(context, { SMask: grey(context) }) } })),
      [AREA],
    );
    expect(
      compare(await picture(soft.before), await picture(soft.bytes), [AREA], { grow: 2, blank: BLACK }).inside,
    ).to.equal(0);
    const shape = Uint8Array.from({ length: 13 * SIDE }, (_none, i) => (i * 91) & 0xff);
    const stencil = await redact(
      await pageOf(DRAW, (context) => ({
        XObject: { Im: grey(context, { Mask: image(context, shape, { ImageMask: true, BitsPerComponent: 1 }) }) },
      })),
      [AREA],
    );
    expect(
      compare(await picture(stencil.before), await picture(stencil.bytes), [AREA], { grow: 2, blank: BLACK }).inside,
    ).to.equal(0);
    const mask = await redact(
      await pageOf(`1 0 0 rg ${DRAW}`, (context) => ({
        XObject: { Im: image(context, shape, { ImageMask: true, BitsPerComponent: 1 }) },
      })),
      [AREA],
    );
    expect(compare(await picture(mask.before), await picture(mask.bytes), [AREA], { grow: 6 })).to.deep.include({
      outside: 0,
    });
    expect(compare(await picture(mask.before), await picture(mask.bytes), [AREA], { grow: 2 }).inside).to.equal(0);
  });

  it('changes only the drawing inside the area, and removes an image that is completely inside', async () => {
    const document = await pageOf('q 80 0 0 80 10 10 cm /Im Do Q q 80 0 0 80 110 110 cm /Im Do Q', (context) => ({
      XObject: {
        Im: grey(context, {
          Metadata: context.register(context.stream('METADATA')),
          Alternates: [{ Image: grey(context) }],
        }),
      },
    }));
    const part = await redact(document, [box(20, 20, 50, 50)]);
    const pixels = await picture(part.bytes);
    expect(compare(await picture(part.before), pixels, [box(20, 20, 50, 50)], { grow: 3 }).outside).to.equal(0);
    expect(colourAt(pixels, 35, 35)).to.deep.equal(BLACK);
    const both = await redact(document, [box(5, 5, 95, 95), box(105, 105, 195, 195)]);
    expect(both.said).not.to.include('METADATA').and.not.to.include('/Image');
    const each = await redact(document, [box(20, 20, 50, 50), box(120, 120, 150, 150)]);
    expect(each.said).not.to.include('METADATA').and.not.to.include('Alternates');
  });

  it('removes the old image from resources that another page shares and does not draw', async () => {
    const document = await pageOf(DRAW, (context) => ({ XObject: { Im: grey(context, { Marker: 'OLD' }) } }));
    const page = document.addPage([200, 200]);
    page.node.set(PDFName.of('Resources'), document.getPage(0).node.get(PDFName.of('Resources'))!);
    page.node.set(
      PDFName.of('Contents'),
      document.context.register(document.context.stream('BT /F1 12 Tf 10 10 Td (other) Tj ET')),
    );
    const { said, text } = await redact(document, [box(0, 0, 200, 200)]);
    expect(said).not.to.include('/OLD');
    expect(text).to.include('other');
    const drawn = await pageOf(DRAW, (context) => ({ XObject: { Im: grey(context, { Marker: 'OLD' }) } }));
    const second = drawn.addPage([200, 200]);
    for (const key of ['Resources', 'Contents'])
      second.node.set(PDFName.of(key), drawn.getPage(0).node.get(PDFName.of(key))!);
    const kept = await redact(drawn, [AREA]);
    expect(kept.said).to.include('/OLD');
    expect(compare(await picture(kept.before, 1), await picture(kept.bytes, 1), [])).to.deep.equal({
      outside: 0,
      inside: 0,
    });
  });

  it('repaints inline images and images in forms', async () => {
    const hex = Buffer.from(samples(1).subarray(0, 100)).toString('hex');
    const inline = `q 160 0 0 160 20 20 cm BI /W 10 /H 10 /BPC 8 /CS /G /F /AHx ID ${hex}> EI Q`;
    const quad = box(84, 84, 116, 116);
    const one = await redact(await pageOf(inline), [quad]);
    expect(compare(await picture(one.before), await picture(one.bytes), [quad], { grow: 40 }).outside).to.equal(0);
    expect(colourAt(await picture(one.bytes), 100, 100)).to.deep.equal(BLACK);
    const two = await redact(
      await pageOf('q 0.5 0 0 0.5 50 50 cm /Fm Do Q', (context) => ({
        XObject: { Fm: form(context, DRAW, { Resources: { XObject: { Im: grey(context) } } }) },
      })),
      [AREA],
    );
    expect(
      compare(await picture(two.before), await picture(two.bytes), [AREA], { grow: 2, blank: BLACK }).inside,
    ).to.equal(0);
  });

  it('removes drawings of images that cannot be decoded', async () => {
    const { bytes, said } = await redact(
      await pageOf(DRAW, (context) => ({
        XObject: {
          Im: image(context, Buffer.from('no picture at all: SECRET'), {
            ColorSpace: 'DeviceRGB',
            Filter: 'JPXDecode',
          }),
        },
      })),
      [AREA],
    );
    expect(said).not.to.include('SECRET');
    expect((await look(bytes)).getPageCount()).to.equal(1);
  });

  it('removes only the requested types of content', async () => {
    const document = await pageOf(
      `${DRAW} 1 0 0 rg 90 90 20 20 re f BT 0 0 1 rg /F1 12 Tf 85 85 Td (TEXT) Tj ET`,
      (context) => ({ XObject: { Im: grey(context) } }),
    );
    expect((await redact(document, [{ quad: AREA, kinds: ['images'] }])).counts).to.deep.include({
      glyphs: 0,
      paths: 0,
      images: 1,
    });
    expect((await redact(document, [{ quad: AREA, kinds: ['text', 'vectors'] }])).counts).to.deep.include({
      glyphs: 4,
      paths: 1,
      images: 0,
    });
  });
});
