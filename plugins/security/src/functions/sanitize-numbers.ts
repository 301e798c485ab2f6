import { PDFArray, type PDFContext, PDFDict, PDFNumber, PDFStream } from 'pdf-lib';
import { asDict, dictOfHolder, everyObject, isString, nameText, resolve } from '@quire/document/file/objects';

/** Keys of arrays of numbers, nested or not (ISO 32000-1, 7.10, 8, 9 and 12.5). */
const ARRAYS: ReadonlySet<string> = new Set([
  'FontMatrix',
  'FontBBox',
  'Matrix',
  'BBox',
  'MediaBox',
  'CropBox',
  'BleedBox',
  'TrimBox',
  'ArtBox',
  'Rect',
  'RD',
  'QuadPoints',
  'Vertices',
  'InkList',
  'Widths',
  'W',
  'W2',
  'DW2',
  'Decode',
  'Domain',
  'Range',
  'Bounds',
  'Encode',
  'C0',
  'C1',
  'Coords',
  'Background',
  'WhitePoint',
  'BlackPoint',
]);
/** Keys of single numbers. */
const NUMBERS: ReadonlySet<string> = new Set([
  'FirstChar',
  'LastChar',
  'DW',
  'MissingWidth',
  'ItalicAngle',
  'Ascent',
  'Descent',
  'Leading',
  'CapHeight',
  'XHeight',
  'StemV',
  'StemH',
  'AvgWidth',
  'MaxWidth',
  'BitsPerComponent',
  'BitsPerCoordinate',
  'BitsPerFlag',
  'BitsPerSample',
  'XStep',
  'YStep',
  'Rotate',
  'UserUnit',
]);
const MAX_DEPTH = 4;

/**
 * Removes strings and dictionaries from places where only numbers belong, in place: viewers have run scripts from such
 * a matrix (CVE-2024-4367). In arrays they become 0, so that the other numbers keep their places. Returns the number of
 * removed objects.
 */
export function dropFalseNumbers(context: PDFContext): number {
  let count = 0;
  const info = asDict(context, context.trailerInfo.Info);
  const clean = (array: PDFArray, depth: number): void => {
    for (const [i, element] of array.asArray().entries()) {
      const object = resolve(context, element);
      if (object instanceof PDFArray && depth < MAX_DEPTH) clean(object, depth + 1);
      else if (
        isString(object) ||
        object instanceof PDFDict ||
        object instanceof PDFStream ||
        object instanceof PDFArray
      ) {
        array.set(i, PDFNumber.of(0));
        count++;
      }
    }
  };
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    const dict = dictOfHolder(holder);
    // The author of a document may name its entries freely.
    if (dict === info) continue;
    for (const [key, value] of dict.entries()) {
      const isArray = ARRAYS.has(nameText(key));
      if (!isArray && !NUMBERS.has(nameText(key))) continue;
      const object = resolve(context, value);
      if (isArray && object instanceof PDFArray) clean(object, 0);
      else if (isString(object)) {
        dict.delete(key);
        count++;
      }
    }
  }
  return count;
}
