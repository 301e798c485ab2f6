import { type PDFContext, PDFDict, type PDFDocument, PDFHeader, PDFHexString, PDFName, PDFRawStream, PDFRef, PDFStreamWriter, PDFString, PDFWriter } from 'pdf-lib';
import { asDict, asName, catalogOf, entry, resolve, sweep } from '../objects/index.js';

/** How to write. */
export interface SaveOptions {
  /** Packs objects into object streams (smaller; PDF 1.5). */
  readonly objectStreams?: boolean;
  /** Time written as /ModDate; the entry stays as it is when absent. */
  readonly modified?: Date;
  /** Leaves out objects that nothing refers to; true by default. */
  readonly sweep?: boolean;
}

const PRODUCER = 'Quire';

/** Writes a document whole, with Quire as its producer. Never for signed files that must stay valid: this rewrites every byte. */
export async function savePdf(document: PDFDocument, options: SaveOptions = {}): Promise<Uint8Array> {
  return writeContext(document.context, options);
}

/** Writes a document given by its objects; the trailer must name a catalog. */
export async function writeContext(context: PDFContext, options: SaveOptions = {}): Promise<Uint8Array> {
  stampInfo(context, options.modified);
  // A version that the standard does not know (1.10) would make the file no PDF for some readers.
  if (!/^%PDF-(1\.[0-7]|2\.0)$/m.test(context.header.toString())) context.header = PDFHeader.forVersion(1, 7);
  if (options.sweep ?? true) sweep(context);
  // Objects per tick: nothing else waits in a worker, so never yield.
  const writer = options.objectStreams === true ? PDFStreamWriter.forContext(context, Infinity) : PDFWriter.forContext(context, Infinity);
  return writer.serializeToBuffer();
}

function stampInfo(context: PDFContext, modified: Date | undefined): void {
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

/** PDF/A asks that XMP and the information dictionary agree (ISO 19005-1, 6.7.3), so both are told. Only plain XMP is touched. */
function stampMetadata(context: PDFContext, modified: Date | undefined): void {
  const catalog = catalogOf(context);
  const ref = catalog === undefined ? undefined : entry(catalog, 'Metadata');
  const stream = resolve(context, ref);
  if (!(ref instanceof PDFRef) || !(stream instanceof PDFRawStream) || entry(stream.dict, 'Filter') !== undefined) return;
  if (asName(context, entry(asDict(context, stream) ?? stream.dict, 'Subtype')) !== 'XML') return;
  const text = Buffer.from(stream.contents).toString('utf8');
  let changed = replaceValue(text, 'pdf:Producer', PRODUCER);
  if (modified !== undefined) {
    changed = replaceValue(replaceValue(changed, 'xmp:ModifyDate', modified.toISOString()), 'xmp:MetadataDate', modified.toISOString());
  }
  if (changed !== text) context.assign(ref, PDFRawStream.of(stream.dict, Buffer.from(changed, 'utf8')));
}

function replaceValue(xmp: string, property: string, value: string): string {
  return xmp
    .replace(new RegExp(`(<${property}>)[^<]*(</${property}>)`), (_whole, open: string, close: string) => open + value + close)
    .replace(new RegExp(`(\\s${property}=)("[^"]*"|'[^']*')`), (_whole, name: string) => `${name}"${value}"`);
}
