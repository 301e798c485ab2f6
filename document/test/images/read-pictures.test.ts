import { encode } from 'bmp-ts';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import sharp from 'sharp';
import {
  type Picture,
  type PictureKind,
  embedPicture,
  placePicture,
  readPicture,
  readPictures,
} from '../../images/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { renderPage } from '../../engines/rendering/index.js';

const WIDTH = 16;
const HEIGHT = 8;

/** Left half red, lower right quarter blue, the rest white. */
function pixels(): Buffer {
  const data = Buffer.alloc(WIDTH * HEIGHT * 3, 255);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      if (x < WIDTH / 2) data.set([255, 0, 0], (y * WIDTH + x) * 3);
      else if (y >= HEIGHT / 2) data.set([0, 0, 255], (y * WIDTH + x) * 3);
    }
  }
  return data;
}

const source = () => sharp(pixels(), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });

function bmp(): Buffer {
  const rgb = pixels();
  const data = Buffer.alloc(WIDTH * HEIGHT * 4);
  for (let i = 0; i < WIDTH * HEIGHT; i++) data.set([255, rgb[i * 3 + 2]!, rgb[i * 3 + 1]!, rgb[i * 3]!], i * 4);
  return Buffer.from(encode({ data, width: WIDTH, height: HEIGHT, bitPP: 24 }).data);
}

function psd(packed: boolean): Buffer {
  const header = Buffer.alloc(26);
  header.write('8BPS', 'latin1');
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(3, 12);
  header.writeUInt32BE(HEIGHT, 14);
  header.writeUInt32BE(WIDTH, 18);
  header.writeUInt16BE(8, 22);
  header.writeUInt16BE(3, 24);
  const rgb = pixels();
  const rows: Buffer[] = [];
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < HEIGHT; y++)
      rows.push(Buffer.from(Array.from({ length: WIDTH }, (_, x) => rgb[(y * WIDTH + x) * 3 + c]!)));
  }
  // Each half of a row is one run of eight equal bytes.
  const coded = packed ? rows.map((row) => Buffer.from([0xf9, row[0]!, 0xf9, row[8]!])) : rows;
  const lengths = Buffer.alloc(packed ? rows.length * 2 : 0);
  if (packed) coded.forEach((row, i) => lengths.writeUInt16BE(row.length, i * 2));
  return Buffer.concat([header, Buffer.alloc(12), Buffer.from([0, packed ? 1 : 0]), lengths, ...coded]);
}

async function shown(picture: Picture): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { node } = document.addPage([picture.width, picture.height]);
  node.set(PDFName.of('Resources'), document.context.obj({ XObject: { P: embedPicture(document.context, picture) } }));
  const place = placePicture(picture, { x: 0, y: 0, width: picture.width, height: picture.height });
  node.set(PDFName.of('Contents'), document.context.register(document.context.stream(`q ${place} /P Do Q`)));
  const bytes = await document.save();
  return withDocument(bytes, {}, (opened) =>
    renderPage(opened, 0, { width: picture.width, height: picture.height, annotations: false }),
  );
}

async function expectSame(picture: Picture, expected: Buffer, tolerance: number): Promise<void> {
  const found = await shown(picture);
  for (let i = 0; i < expected.length / 3; i++) {
    for (let c = 0; c < 3; c++)
      expect(Math.abs(found[i * 4 + c]! - expected[i * 3 + c]!), `pixel ${i}`).to.be.at.most(tolerance);
  }
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as { code: string }).code,
  );

describe('readPictures', function () {
  this.timeout(60_000);

  const lossless: Readonly<Record<string, () => Promise<[PictureKind, Buffer]>>> = {
    png: async () => ['png', await source().png().toBuffer()],
    gif: async () => ['gif', await source().gif().toBuffer()],
    webp: async () => ['webp', await source().webp({ lossless: true }).toBuffer()],
    tiff: async () => ['tiff', await source().tiff({ compression: 'lzw' }).toBuffer()],
    bmp: async () => ['bmp', bmp()],
    psd: async () => ['psd', psd(false)],
    'packed psd': async () => ['psd', psd(true)],
    '16 bit png': async () => ['png', await source().toColourspace('rgb16').png().toBuffer()],
    'palette png': async () => ['png', await source().png({ palette: true }).toBuffer()],
  };
  for (const [title, make] of Object.entries(lossless)) {
    it(`embeds ${title} without loss`, async () => {
      const [kind, bytes] = await make();
      await expectSame(await readPicture(bytes, kind, { field: 'fileInput' }), pixels(), 0);
    });
  }

  it('embeds a JPEG with its own bytes', async () => {
    const bytes = await source().jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
    const picture = await readPicture(bytes, 'jpeg', { field: 'fileInput' });
    expect('jpeg' in picture.content && Buffer.compare(picture.content.jpeg, bytes)).to.equal(0);
    await expectSame(picture, pixels(), 12);
  });

  const orientations = [
    'upright',
    'mirrored',
    'upside down',
    'flipped',
    'transposed',
    'turned right',
    'transverse',
    'turned left',
  ];
  for (const [i, title] of orientations.entries()) {
    const orientation = i + 1;
    it(`applies EXIF orientation ${title}`, async () => {
      const bytes = await source()
        .withMetadata({ orientation })
        .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
        .toBuffer();
      const expected = await sharp(bytes).autoOrient().removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const picture = await readPicture(bytes, 'jpeg', { field: 'fileInput' });
      expect([picture.width, picture.height]).to.deep.equal([expected.info.width, expected.info.height]);
      await expectSame(picture, expected.data, 24);
    });
  }

  it('keeps transparency as a mask', async () => {
    const bytes = await source().ensureAlpha(0.5).png().toBuffer();
    const found = await shown(await readPicture(bytes, 'png', { field: 'fileInput' }));
    expect(found[1]).to.be.within(126, 129);
  });

  it('creates grey and black and white images of one channel', async () => {
    for (const colour of ['greyscale', 'blackwhite'] as const) {
      const { content } = await readPicture(await source().png().toBuffer(), 'png', { field: 'fileInput', colour });
      expect('rows' in content && content.rows.components).to.equal(1);
    }
  });

  it('returns every frame of a TIFF and one of an animation', async () => {
    const two = Buffer.concat([pixels(), pixels()]);
    const stacked = () => sharp(two, { raw: { width: WIDTH, height: HEIGHT * 2, channels: 3, pageHeight: HEIGHT } });
    const count = async (bytes: Buffer, kind: PictureKind): Promise<number> => {
      let frames = 0;
      for await (const picture of readPictures(bytes, kind, { field: 'fileInput' }))
        frames += picture.width > 0 ? 1 : 0;
      return frames;
    };
    expect(await count(await stacked().tiff().toBuffer(), 'tiff')).to.equal(2);
    expect(await count(await stacked().gif().toBuffer(), 'gif')).to.equal(1);
  });

  it('rejects programs named as images, damaged images and images of another type', async () => {
    const png = await source().png().toBuffer();
    const noise = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer();
    const wrong: [PictureKind, Buffer][] = [
      ['png', Buffer.from('MZ\x90\0 this program cannot be run')],
      ['png', png.subarray(0, 60)],
      ['jpeg', png],
      ['jpeg', noise.subarray(0, noise.length / 2)],
      ['bmp', bmp().subarray(0, 80)],
      ['bmp', Buffer.from('MZ')],
      ['psd', psd(false).subarray(0, 60)],
      ['psd', psd(true).subarray(0, 100)],
      ['tiff', Buffer.from('II*\0')],
      ['webp', Buffer.alloc(0)],
    ];
    for (const [kind, bytes] of wrong)
      expect(await refusal(readPicture(bytes, kind, { field: 'fileInput' })), kind).to.equal('IMAGE_UNREADABLE');
  });

  it('rejects images with too many pixels before decoding them', async () => {
    const png = await source().png().toBuffer();
    png.writeUInt32BE(60_000, 16);
    png.writeUInt32BE(60_000, 20);
    const { crc32 } = await import('node:zlib');
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    const huge = bmp();
    huge.writeInt32LE(60_000, 18);
    huge.writeInt32LE(60_000, 22);
    const wide = psd(false);
    wide.writeUInt32BE(60_000, 14);
    wide.writeUInt32BE(60_000, 18);
    for (const [kind, bytes] of [
      ['png', png],
      ['bmp', huge],
      ['psd', wide],
    ] as const) {
      expect(await refusal(readPicture(bytes, kind, { field: 'fileInput' })), kind).to.equal('IMAGE_TOO_LARGE');
    }
  });
});
