import { type PDFContext, PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib';
import { rewriteStreams } from '../../redaction/document-data/index.js';
import { asDict, asName, catalogOf, elements, entry, resolve, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { pageAttribute } from '../../structure/pages/index.js';
import { dictOfHolder, everyObject, streamBytes } from '../../file/objects/index.js';
import { xmlText } from '../../file/objects/text-streams.js';
import { isPlain } from './claim.js';

/** Data in external files, which PDF/A does not allow (ISO 19005-1, 6.1.7). */
const OUTSIDE = ['F', 'FFilter', 'FDecodeParms'] as const;
/** Entries that images and forms must not have (ISO 19005-1, 6.2.4 to 6.2.6; -2, 6.2.8 and 6.2.9). */
const PRINTING = ['OPI', 'Alternates', 'Ref', 'PS', 'Subtype2'] as const;
const INTENTS: ReadonlySet<string> = new Set([
  'RelativeColorimetric',
  'AbsoluteColorimetric',
  'Perceptual',
  'Saturation',
]);
const BLENDS: ReadonlySet<string> = new Set(['Normal', 'Compatible']);
/** In bytes. No real LZW stream is larger. */
const MAX_LZW_BYTES = 256 * 1024 * 1024;

/**
 * Removes entries of streams, images, forms and graphics states that PDF/A forbids, in place: external data, LZW,
 * alternates, transfer functions and halftones; and gives each content its own resources (ISO 19005-2, 6.2.2).
 */
export function fixObjects({ document: { context }, pages }: OpenedPdf): void {
  const lzw = new Map<PDFRawStream, Uint8Array>();
  const catalog = catalogOf(context);
  for (const page of pages)
    if (entry(page.dict, 'Resources') === undefined)
      setEntry(page.dict, 'Resources', pageAttribute(page, 'Resources') ?? context.obj({}));
  for (const object of everyObject(context)) {
    if (object instanceof PDFRawStream) fixStream(context, object, lzw);
    else if (object instanceof PDFDict) fixStates(context, object);
    if (!(object instanceof PDFRawStream || object instanceof PDFDict)) continue;
    const dict = dictOfHolder(object);
    shareResources(context, dict);
    // Metadata of objects must be as well-formed as that of the document (ISO 19005-2, 6.6.2.3).
    if (
      dict !== catalog &&
      entry(dict, 'Metadata') !== undefined &&
      !isPlain(xmlText(context, entry(dict, 'Metadata')) ?? '')
    )
      setEntry(dict, 'Metadata', undefined);
  }
  rewriteStreams(context, lzw);
}

function fixStream(context: PDFContext, stream: PDFRawStream, lzw: Map<PDFRawStream, Uint8Array>): void {
  const { dict } = stream;
  for (const key of OUTSIDE) if (!isFileSpecification(context, dict)) setEntry(dict, key, undefined);
  const kind = asName(context, entry(dict, 'Subtype'));
  if (kind === 'Image' || kind === 'Form') for (const key of PRINTING) setEntry(dict, key, undefined);
  if (kind === 'Image') {
    setEntry(dict, 'Interpolate', undefined);
    if (entry(dict, 'Intent') !== undefined && !INTENTS.has(asName(context, entry(dict, 'Intent')) ?? ''))
      setEntry(dict, 'Intent', undefined);
  }
  const filters = filtersOf(context, dict);
  if (!filters.includes('LZWDecode') && !filters.includes('LZW')) return;
  const bytes = streamBytes(context, stream, MAX_LZW_BYTES);
  if (bytes !== undefined) lzw.set(stream, bytes);
}

/** In dictionaries other than streams, /F may name an embedded file. */
function isFileSpecification(context: PDFContext, dict: PDFDict): boolean {
  return ['Filespec', 'F'].includes(asName(context, entry(dict, 'Type')) ?? '');
}

function filtersOf(context: PDFContext, dict: PDFDict): (string | undefined)[] {
  const filter = entry(dict, 'Filter');
  return resolve(context, filter) instanceof PDFName
    ? [asName(context, filter)]
    : elements(context, filter).map((one) => asName(context, one));
}

/** The graphics states of a resource dictionary (ISO 32000-1, table 58). */
function graphicsStates(context: PDFContext, resources: PDFDict): PDFDict[] {
  const states = resolve(context, entry(resources, 'ExtGState'));
  return states instanceof PDFDict
    ? states
        .values()
        .map((state) => asDict(context, state))
        .filter((state) => state !== undefined)
    : [];
}

function fixStates(context: PDFContext, resources: PDFDict): void {
  for (const state of graphicsStates(context, resources)) {
    for (const key of ['TR', 'HT', 'HTP', 'HTO']) setEntry(state, key, undefined);
    if (asName(context, entry(state, 'TR2')) !== 'Default') setEntry(state, 'TR2', undefined);
    if (entry(state, 'RI') !== undefined && !INTENTS.has(asName(context, entry(state, 'RI')) ?? ''))
      setEntry(state, 'RI', undefined);
  }
}

/** Forms and patterns without resources use those of the content that draws them. */
function shareResources(context: PDFContext, owner: PDFDict): void {
  const dict = asDict(context, entry(owner, 'Resources'));
  if (dict === undefined) return;
  for (const key of ['XObject', 'Pattern']) {
    for (const value of asDict(context, entry(dict, key))?.values() ?? []) {
      const stream = resolve(context, value);
      if (
        !(stream instanceof PDFRawStream) ||
        entry(stream.dict, 'Resources') !== undefined ||
        asName(context, entry(stream.dict, 'Subtype')) === 'Image'
      )
        continue;
      // A direct dictionary must not be shared.
      if (!(entry(owner, 'Resources') instanceof PDFRef)) setEntry(owner, 'Resources', context.register(dict));
      setEntry(stream.dict, 'Resources', entry(owner, 'Resources'));
    }
  }
}

/**
 * True for a document with JPEG 2000 images, which PDF 1.4 and therefore PDF/A-1 does not support; validators accept
 * them.
 */
export function usesJpeg2000(context: PDFContext): boolean {
  for (const object of everyObject(context))
    if (object instanceof PDFRawStream && filtersOf(context, object.dict).includes('JPXDecode')) return true;
  return false;
}

/** True when anything in the document is transparent (ISO 19005-1, 6.4): blend modes, soft masks, opacity. */
export function usesTransparency(context: PDFContext): boolean {
  for (const object of everyObject(context)) {
    if (object instanceof PDFRawStream) {
      if (
        asName(context, entry(object.dict, 'Subtype')) === 'Image' &&
        (resolve(context, entry(object.dict, 'SMask')) !== undefined ||
          Number(entry(object.dict, 'SMaskInData')?.toString() ?? 0) > 0)
      )
        return true;
    } else if (
      object instanceof PDFDict &&
      graphicsStates(context, object).some((state) => isTransparent(context, state))
    )
      return true;
  }
  return false;
}

function isTransparent(context: PDFContext, state: PDFDict): boolean {
  const mode = resolve(context, entry(state, 'BM'));
  const name = mode instanceof PDFName ? mode : elements(context, mode)[0];
  const opaque = (key: string): boolean =>
    entry(state, key) === undefined || Number(resolve(context, entry(state, key))?.toString()) === 1;
  const mask = entry(state, 'SMask');
  return (
    (name !== undefined && !BLENDS.has(asName(context, name) ?? '')) ||
    !opaque('CA') ||
    !opaque('ca') ||
    (mask !== undefined && asName(context, mask) !== 'None')
  );
}

/** Removes transparency groups from a document without transparency, in place (ISO 19005-1, 6.4). */
export function dropGroups(context: PDFContext): void {
  for (const object of everyObject(context)) {
    const dict = object instanceof PDFRawStream ? object.dict : object instanceof PDFDict ? object : undefined;
    const group = dict === undefined ? undefined : asDict(context, entry(dict, 'Group'));
    if (dict !== undefined && group !== undefined && asName(context, entry(group, 'S')) === 'Transparency')
      setEntry(dict, 'Group', undefined);
  }
}
