import { deflateSync } from 'node:zlib';
import { PDFHexString, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import sharp from 'sharp';
import type { Carrier, Planting } from './planted.js';

const WIDTH = 16;
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** Draws an image XObject with these entries and data. */
function draw(
  { context, resources, content }: Planting,
  entries: Readonly<Record<string, unknown>>,
  data: Buffer,
): void {
  const dict = { Type: 'XObject', Subtype: 'Image', Width: WIDTH, Height: 1, BitsPerComponent: 8, ...entries };
  const images = (resources.XObject ??= {});
  const key = `Im${Object.keys(images).length}`;
  images[key] = context.register(context.stream(data, dict as never));
  content.push(`q 40 0 0 10 340 ${30 + 12 * Object.keys(images).length} cm /${key} Do Q`);
}

/** Grey samples that spell a text; the rest is dark, so that nothing beside it is text. */
function samples(text: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(text as string, 'latin1'), Buffer.alloc(WIDTH, 2)]).subarray(0, WIDTH);
}

/** Each row has its own predictor, of which this one leaves the samples as they are (PNG, 9.2). */
const unpredicted = (row: Buffer): Buffer => Buffer.concat([Buffer.of(0), row]);

function indexed(planting: Planting, table: PDFObject | PDFRef, data: Buffer): void {
  const { context } = planting;
  draw(planting, { ColorSpace: context.obj(['Indexed', 'DeviceRGB', 255, table] as never) }, data);
}

async function jpeg(comment: string): Promise<Buffer> {
  const input = { width: WIDTH, height: 1, channels: 3, background: '#336699' } as const;
  const bytes = await sharp({ create: input }).jpeg().toBuffer();
  const head = Buffer.of(0xff, 0xfe, 0, comment.length + 2);
  return Buffer.concat([bytes.subarray(0, 2), head, Buffer.from(comment, 'latin1'), bytes.subarray(2)]);
}

/** Carriers in images, by name. */
export const imageCarriers: Readonly<Record<string, Carrier>> = {
  'samples of images': {
    plant: (planting) => {
      const { word } = planting;
      for (const text of [word, word.toUpperCase()]) draw(planting, { ColorSpace: 'DeviceGray' }, samples(text));
      draw(planting, { ColorSpace: 'DeviceGray' }, samples(utf16(word)));
      draw(planting, { ColorSpace: 'DeviceGray', Filter: 'FlateDecode' }, deflateSync(samples(word)));
    },
  },
  'samples of images with a predictor': {
    plant: (planting) => {
      const DecodeParms = { Predictor: 15, Columns: WIDTH, Colors: 1, BitsPerComponent: 8 };
      const entries = { ColorSpace: 'DeviceGray', Filter: 'FlateDecode', DecodeParms };
      draw(planting, entries, deflateSync(unpredicted(samples(planting.word)), { level: 0 }));
    },
  },
  'samples of masks': {
    plant: (planting) => {
      const { context, word } = planting;
      const dict = { Type: 'XObject', Subtype: 'Image', Width: WIDTH, Height: 1, BitsPerComponent: 8 };
      const SMask = context.register(context.stream(samples(word), { ...dict, ColorSpace: 'DeviceGray' }));
      draw(planting, { ColorSpace: 'DeviceGray', SMask }, samples(''));
    },
  },
  'indexes of a palette': {
    plant: (planting) => {
      const table = PDFHexString.of(Buffer.alloc(768, 0x99).toString('hex'));
      indexed(planting, table, samples(planting.word));
    },
  },
  'palettes that are strings and streams': {
    plant: (planting) => {
      const { context, word } = planting;
      const colours = Buffer.alloc(768, 3);
      colours.write(word, 6, 'latin1');
      indexed(planting, PDFHexString.of(colours.toString('hex')), samples(''));
      indexed(planting, context.register(context.flateStream(colours)), samples(''));
    },
  },
  'inline images: palettes': {
    plant: ({ content, word }) => {
      const colours = Buffer.from(word.padEnd(12, '\x80').slice(0, 12), 'latin1').toString('hex');
      content.push(`q 40 0 0 10 340 10 cm BI /W 4 /H 1 /BPC 8 /CS [/I /RGB 3 <${colours}>] ID \x01\x02\x03\x01\nEI Q`);
    },
  },
  'comments of JPEG data': {
    plant: async (planting) => {
      const data = await jpeg(`Photo of ${planting.word}`);
      draw(planting, { ColorSpace: 'DeviceRGB', Filter: 'DCTDecode' }, data);
      const wrapped = { ColorSpace: 'DeviceRGB', Filter: [PDFName.of('FlateDecode'), PDFName.of('DCTDecode')] };
      draw(planting, wrapped, deflateSync(data));
    },
  },
};
