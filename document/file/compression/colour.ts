import { PDFArray, PDFBool, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream } from 'pdf-lib';
import { asArray, asName, asNumber, entry, resolve } from '../objects/index.js';

/**
 * How image samples may be resampled: `gray` and `rgb` may be encoded differently, `tint` (one spot colour) and `cmyk`
 * are resampled unchanged, for `none` the data itself defines the colours (JPEG 2000), everything else is left alone.
 */
export type SampleKind = 'gray' | 'rgb' | 'cmyk' | 'tint' | 'indexed' | 'none' | 'other';

/** Classifies a colour space (ISO 32000-1, 8.6). */
export function sampleKind(context: PDFContext, space: PDFObject | undefined): SampleKind {
  const name = asName(context, space);
  if (name !== undefined) return ofDevice(name);
  const array = asArray(context, space);
  if (array === undefined) return 'none';
  const family = asName(context, array.get(0)) ?? '';
  if (family === 'ICCBased') {
    const profile = resolve(context, array.get(1));
    const components = profile instanceof PDFRawStream ? asNumber(context, entry(profile.dict, 'N')) : undefined;
    return components === 1 ? 'gray' : components === 3 ? 'rgb' : components === 4 ? 'cmyk' : 'other';
  }
  if (family === 'CalGray') return 'gray';
  if (family === 'CalRGB') return 'rgb';
  if (family === 'Separation') return 'tint';
  if (family === 'Indexed' || family === 'I') return 'indexed';
  return ofDevice(family);
}

function ofDevice(name: string): SampleKind {
  if (name === 'DeviceGray' || name === 'G') return 'gray';
  if (name === 'DeviceRGB' || name === 'RGB') return 'rgb';
  if (name === 'DeviceCMYK' || name === 'CMYK') return 'cmyk';
  return 'other';
}

/** True for an image XObject with one component of one bit. */
export function isBilevel(context: PDFContext, { dict }: PDFRawStream): boolean {
  if (asName(context, entry(dict, 'Subtype')) !== 'Image') return false;
  if (resolve(context, entry(dict, 'ImageMask')) === PDFBool.True) return true;
  const kind = sampleKind(context, entry(dict, 'ColorSpace'));
  return (
    asNumber(context, entry(dict, 'BitsPerComponent')) === 1 &&
    (kind === 'gray' || kind === 'tint' || kind === 'indexed')
  );
}

/**
 * True if a graphics state changes colours by transfer functions (ISO 32000-1, 10.4). They may turn neighbouring
 * samples into very different colours, so that no sample may change.
 */
export function hasTransferFunctions(context: PDFContext): boolean {
  return context.enumerateIndirectObjects().some(
    ([, object]) =>
      object instanceof PDFDict &&
      ['TR', 'TR2'].some((key) => {
        const value = resolve(context, entry(object, key));
        const functions = value instanceof PDFArray ? value.asArray() : value === undefined ? [] : [value];
        return functions.some((one) => !(resolve(context, one) instanceof PDFName));
      }),
  );
}
