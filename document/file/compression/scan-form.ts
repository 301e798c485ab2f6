import { type PDFContext, type PDFDict, PDFName, type PDFObject, PDFRawStream, type PDFRef } from 'pdf-lib';
import { decimal } from '../../content/drawing/numbers.js';
import { asName } from '../objects/index.js';
import type { EncodedLayer, SeparatedScan } from './separate-scan.js';

/** Bytes that the dictionaries of the layers and the form add, once they are packed. */
export const FORM_BYTES = 500;
/** Entries that hold for what an image shows, and for the form that takes its place. */
const KEPT = ['OC', 'StructParent', 'Metadata', 'AF'].map((name) => PDFName.of(name));
/** Operators that set a colour of a device space (ISO 32000-1, table 74). */
const DEVICE_OPERATORS: Readonly<Partial<Record<string, string>>> = { DeviceGray: 'g', DeviceRGB: 'rg' };

interface FormOptions {
  /** The colour space of the layers. */
  readonly space: PDFObject;
  /** Opacity and blend mode of the graphics state are those of the whole form (ISO 32000-1, 11.6.6). */
  readonly group: boolean;
}

/**
 * Creates the form XObject that draws a separated scan in the place of its image: the same unit square, the ink painted
 * over the background through a stencil mask (ISO 32000-1, 8.9.6.2 and 8.9.6.3). Registers the layers.
 */
export function scanForm(
  context: PDFContext,
  image: PDFRawStream,
  scan: SeparatedScan,
  { space, group }: FormOptions,
): PDFRawStream {
  const intent = image.dict.get(PDFName.of('Intent'));
  const common = { ColorSpace: space, BitsPerComponent: 8, Filter: 'DCTDecode', ...(intent ? { Intent: intent } : {}) };
  const register = (
    data: Uint8Array,
    entries: Readonly<Record<string, PDFObject | string | number | boolean>>,
  ): PDFRef =>
    context.register(PDFRawStream.of(context.obj({ Type: 'XObject', Subtype: 'Image', ...entries }) as PDFDict, data));
  const layer = ({ width, height, jpeg }: EncodedLayer, entries: Readonly<Record<string, PDFObject>> = {}): PDFRef =>
    register(jpeg, { Width: width, Height: height, ...common, ...entries });
  const { width, height, ink } = scan;
  const mask = register(scan.mask, {
    Width: width,
    Height: height,
    ImageMask: true,
    BitsPerComponent: 1,
    Filter: 'JBIG2Decode',
  });
  const colour = 'jpeg' in ink ? undefined : colourOperation(context, ink, space);
  const entries = context.obj({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 1, 1],
    Resources: {
      XObject: { B: layer(scan.background), I: 'jpeg' in ink ? layer(ink, { Mask: mask }) : mask },
      ...(colour?.startsWith('/C') === true ? { ColorSpace: { C: space } } : {}),
    },
    ...(group ? { Group: { S: 'Transparency' } } : {}),
  }) as PDFDict;
  for (const key of KEPT) {
    const value = image.dict.get(key);
    if (value !== undefined) entries.set(key, value);
  }
  const lines = [intent && `${intent.toString()} ri`, '/B Do', colour, '/I Do'].filter((line) => line !== undefined);
  return PDFRawStream.of(entries, Buffer.from(lines.join('\n'), 'latin1'));
}

function colourOperation(context: PDFContext, colour: readonly number[], space: PDFObject): string {
  const operands = colour.map((value) => decimal(value / 255)).join(' ');
  const operator = DEVICE_OPERATORS[asName(context, space) ?? ''];
  return operator === undefined ? `/C cs ${operands} scn` : `${operands} ${operator}`;
}
