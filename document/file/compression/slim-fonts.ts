import { type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { DIRECTORY_BYTES, dropTables, unusedTableBytes } from '../../fonts/drop-tables.js';
import { asName, lookupRef } from '../objects/index.js';
import { deflateFitted, inflateBeginning, inflateShort } from '../zlib/index.js';

const [FILTER, DECODE_PARMS, LENGTH1, TYPE, FONT_DESCRIPTOR, FONT_FILE] = [
  PDFName.of('Filter'),
  PDFName.of('DecodeParms'),
  PDFName.of('Length1'),
  PDFName.of('Type'),
  PDFName.of('FontDescriptor'),
  PDFName.of('FontFile2'),
] as const;
/** Of the packed program: for less, packing it again takes longer than it is worth. */
const MIN_SHARE = 0.1;

/**
 * Removes the tables that PDF readers do not use from embedded TrueType programs, in place, and packs these again.
 * Programs above some 256 KB stay as they are. `objects` are all of the document. Returns the streams that are new.
 */
export function slimFonts(
  context: PDFContext,
  objects: Iterable<readonly [PDFRef, PDFObject]>,
): Map<PDFRef, PDFRawStream> {
  const slimmed = new Map<PDFRef, PDFRawStream>();
  for (const [, object] of objects) {
    if (!(object instanceof PDFDict) || object.get(TYPE) !== FONT_DESCRIPTOR) continue;
    const ref = object.get(FONT_FILE);
    if (!(ref instanceof PDFRef) || slimmed.has(ref)) continue;
    const stream = lookupRef(context, ref);
    const slim = stream instanceof PDFRawStream ? slimStream(context, stream) : undefined;
    if (slim === undefined) continue;
    slimmed.set(ref, slim);
    context.assign(ref, slim);
  }
  return slimmed;
}

function slimStream(context: PDFContext, { dict, contents }: PDFRawStream): PDFRawStream | undefined {
  if (asName(context, dict.get(FILTER)) !== 'FlateDecode' || dict.has(DECODE_PARMS)) return undefined;
  const beginning = inflateBeginning(contents, DIRECTORY_BYTES);
  if (beginning === undefined || unusedTableBytes(beginning) < contents.length * MIN_SHARE) return undefined;
  const program = inflateShort(contents)?.data;
  const slim = program === undefined ? undefined : dropTables(program);
  if (slim === undefined) return undefined;
  const copy = dict.clone(context);
  copy.set(LENGTH1, PDFNumber.of(slim.length));
  return PDFRawStream.of(copy, deflateFitted(slim));
}
