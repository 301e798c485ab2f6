import { type PDFContext, PDFDict, PDFHexString, PDFName, PDFRawStream, PDFRef, PDFString } from 'pdf-lib';
import { asDict, asName, catalogOf, entry, resolve } from '../objects/index.js';

const PRODUCER = 'Quire';

/**
 * Names Quire as the producer, and sets the modification time if given, in the information dictionary and in
 * unencrypted, uncompressed XMP, in place. Does nothing when `stamp` is false.
 */
export function stampInfo(context: PDFContext, modified: Date | undefined, stamp = true): void {
  if (!stamp) return;
  let info = resolve(context, context.trailerInfo.Info);
  if (!(info instanceof PDFDict)) {
    info = PDFDict.withContext(context);
    context.trailerInfo.Info = context.register(info);
  } else if (!(context.trailerInfo.Info instanceof PDFRef)) {
    // The trailer's entry must be a reference (ISO 32000-1, table 15).
    context.trailerInfo.Info = context.register(info);
  }
  if (!(info instanceof PDFDict)) return;
  info.set(PDFName.of('Producer'), PDFHexString.of(Buffer.from(PRODUCER, 'latin1').toString('hex')));
  if (modified !== undefined) info.set(PDFName.of('ModDate'), PDFString.fromDate(modified));
  stampMetadata(context, modified);
}

/** The objects that `stampInfo` may change. */
export function stampedRefs(context: PDFContext): PDFRef[] {
  const catalog = catalogOf(context);
  return [context.trailerInfo.Info, catalog === undefined ? undefined : entry(catalog, 'Metadata')].filter(
    (ref): ref is PDFRef => ref instanceof PDFRef,
  );
}

/**
 * PDF/A requires XMP and the information dictionary to agree (ISO 19005-1, 6.7.3), so both are updated. Only plain XMP
 * is changed.
 */
function stampMetadata(context: PDFContext, modified: Date | undefined): void {
  const catalog = catalogOf(context);
  const ref = catalog === undefined ? undefined : entry(catalog, 'Metadata');
  const stream = resolve(context, ref);
  if (!(ref instanceof PDFRef) || !(stream instanceof PDFRawStream) || entry(stream.dict, 'Filter') !== undefined)
    return;
  if (asName(context, entry(asDict(context, stream) ?? stream.dict, 'Subtype')) !== 'XML') return;
  const text = Buffer.from(stream.contents).toString('utf8');
  let changed = replaceValue(text, 'pdf:Producer', PRODUCER);
  if (modified !== undefined) {
    changed = replaceValue(
      replaceValue(changed, 'xmp:ModifyDate', modified.toISOString()),
      'xmp:MetadataDate',
      modified.toISOString(),
    );
  }
  if (changed !== text) context.assign(ref, PDFRawStream.of(stream.dict, Buffer.from(changed, 'utf8')));
}

function replaceValue(xmp: string, property: string, value: string): string {
  return xmp
    .replace(
      new RegExp(`(<${property}>)[^<]*(</${property}>)`),
      (_whole, open: string, close: string) => open + value + close,
    )
    .replace(new RegExp(`(\\s${property}=)("[^"]*"|'[^']*')`), (_whole, name: string) => `${name}"${value}"`);
}
