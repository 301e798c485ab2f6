import { type PDFContext, PDFArray, type PDFDict, PDFRawStream } from 'pdf-lib';
import { catalogOf, entry, resolve, setEntry } from '../../file/objects/index.js';
import { acroFormOf } from './fields.js';
import { streamBytes } from '../../file/objects/text-streams.js';

/** In bytes. Longer packets are treated as invalid. */
const MAX_PACKET = 64 * 1024 * 1024;

/**
 * Returns the packets of a document's XFA form (ISO 32000-1, 12.7.8) as bytes, undefined for a packet that cannot be
 * decoded; an empty list if there is no XFA form.
 */
export function readXfa(context: PDFContext): (Buffer | undefined)[] {
  return packetsOf(context).map(({ stream }) => streamBytes(context, stream, MAX_PACKET));
}

/** Returns true for a document with at least one XFA packet, whatever its content. */
export function hasXfa(context: PDFContext): boolean {
  return packetsOf(context).length > 0;
}

/** Removes the XFA form in place; the AcroForm fields stay. Returns whether there was one. */
export function dropXfa(context: PDFContext): boolean {
  const form = acroFormOf(context);
  if (form === undefined || entry(form, 'XFA') === undefined) return false;
  setEntry(form, 'XFA', undefined);
  const catalog = catalogOf(context);
  if (catalog !== undefined) setEntry(catalog, 'NeedsRendering', undefined);
  return true;
}

/**
 * Changes the text of every packet in place. If a packet cannot be read, or `edit` returns undefined, the whole XFA
 * form is removed. Returns whether anything changed.
 */
export function editXfa(context: PDFContext, edit: (xml: string) => string | undefined): boolean {
  const edits: (() => void)[] = [];
  for (const { stream, put } of packetsOf(context)) {
    const bytes = streamBytes(context, stream, MAX_PACKET);
    const xml = bytes?.toString('utf8');
    const now = xml === undefined || xml.includes('\ufffd') ? undefined : edit(xml);
    if (now === undefined) return dropXfa(context);
    if (now !== xml) edits.push(() => put(context.flateStream(now)));
  }
  for (const run of edits) run();
  return edits.length > 0;
}

interface Packet {
  readonly stream: PDFRawStream;
  readonly put: (stream: PDFRawStream) => void;
}

/** XFA is one stream, or an array of alternating names and streams. */
function packetsOf(context: PDFContext): Packet[] {
  const form: PDFDict | undefined = acroFormOf(context);
  const value = form === undefined ? undefined : resolve(context, entry(form, 'XFA'));
  if (form !== undefined && value instanceof PDFRawStream)
    return [{ stream: value, put: (stream) => setEntry(form, 'XFA', context.register(stream)) }];
  if (!(value instanceof PDFArray)) return [];
  return value.asArray().flatMap((one, i): Packet[] => {
    const stream = resolve(context, one);
    return stream instanceof PDFRawStream ? [{ stream, put: (other) => value.set(i, context.register(other)) }] : [];
  });
}
