import { readFileSync } from 'node:fs';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import { elements, entry, resolve } from '../../file/objects/index.js';
import { type OpenedPdf, openPdf } from '../../file/open/index.js';
import { type PageEntry, walkPages } from '../../structure/pages/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { decodeStream } from '../../file/reader/index.js';
import { extractPages, SplitSource } from '../../structure/split/index.js';
import { graphOf } from './graph.js';
import { pictureHashes } from './pictures.js';

/** A document with the expected content of its extracts. */
export interface WholeSource {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly opened: OpenedPdf;
  readonly source: SplitSource;
  readonly pictures: readonly string[];
  /** Words that the reader sees on each page, and long strings of its content as written. */
  readonly words: readonly ReadonlySet<string>[];
  /** All text of the document outside of its pages. */
  readonly elsewhere: string;
}

/** The shortest word that is not mistaken for text of fonts and operators. */
const WORD = /[\p{L}\p{N}]{8,}/gu;
const MAX_PICTURES = 40;
/** Entries that belong to pages; the catalog's other entries belong to the document. */
const OF_PAGES = new Set(['Pages', 'StructTreeRoot', 'Dests']);

/** Reads a file once for all of its extracts; undefined for a document without readable pages. */
export async function wholeSource(file: string, path: string): Promise<WholeSource> {
  const bytes = readFileSync(path);
  const opened = await openPdf(bytes);
  const pages = opened.pages.length;
  const { context } = opened.document;
  const texts = await withDocument(bytes, {}, (document) => opened.pages.map((_page, i) => document.pageText(i)));
  return {
    file,
    bytes,
    opened,
    source: new SplitSource(opened),
    pictures: await pictureHashes(bytes, Math.min(pages, MAX_PICTURES)),
    words: opened.pages.map(
      ({ dict }, i) => new Set([...wordsOf(texts[i] ?? ''), ...wordsOf(contentOf(context, dict))]),
    ),
    elsewhere: elsewhereIn(context),
  };
}

/** Returns page selections that reveal most faults: single pages, all but one, every other one. */
export function cutsOf(pages: number): number[][] {
  if (pages === 1) return [[0]];
  const all = Array.from({ length: pages }, (_unused, i) => i);
  const middle = Math.floor(pages / 2);
  const cuts = [[0], [pages - 1], [middle], all.slice(1), all.slice(0, -1), all.filter((i) => i % 2 === 1)];
  return [...new Map(cuts.map((cut) => [cut.join(), cut])).values()];
}

/** Extracts pages and returns the faults of the result. */
export async function checkPart(
  whole: WholeSource,
  kept: readonly number[],
  keepDocumentLevel: boolean,
): Promise<{ readonly bytes: Uint8Array; readonly faults: string[] }> {
  const bytes = await extractPages(whole.source, kept, { keepDocumentLevel });
  return { bytes, faults: await faultsOfPart(whole, kept, bytes) };
}

/** Returns the faults of an extract, one line each: words of other pages, references, orphans, images. */
export async function faultsOfPart(whole: WholeSource, kept: readonly number[], bytes: Uint8Array): Promise<string[]> {
  const { context } = (await openPdf(bytes, { repair: false })).document;
  const faults: string[] = [];
  if (walkPages(context).length !== kept.length) faults.push(`${walkPages(context).length} pages`);
  const { dangling, orphans } = graphOf(context);
  if (dangling.length > 0) faults.push(`dangling references: ${dangling.slice(0, 5).join(', ')}`);
  if (orphans.length > 0) faults.push(`orphans: ${orphans.slice(0, 5).join(', ')}`);
  const gone = wordsGone(whole, kept);
  const said = gone.size === 0 ? '' : everythingSaid(context);
  const found = [...gone].filter((word) => said.includes(word));
  if (found.length > 0) faults.push(`words of other pages: ${found.slice(0, 8).join(', ')}`);
  const seen = kept.filter((index) => index < MAX_PICTURES);
  const pictures = await pictureHashes(bytes, seen.length);
  const annotated = (page: PageEntry | undefined): number =>
    page === undefined ? 0 : elements(context, entry(page.dict, 'Annots')).length;
  const after = walkPages(context);
  const suspects = seen.filter((index, i) => pictures[i] !== whole.pictures[index]);
  // A link to a removed page is removed with its border.
  const unlinked = new Set(
    suspects.filter(
      (index) => annotated(after[seen.indexOf(index)]) < whole.source.annotationsOf(whole.opened.pages[index]!).length,
    ),
  );
  const changed = [
    ...(await reallyChanged(
      suspects.filter((index) => !unlinked.has(index)),
      whole.bytes,
      bytes,
      seen,
      true,
    )),
    ...(await reallyChanged([...unlinked], whole.bytes, bytes, seen, false)),
  ];
  if (changed.length > 0) faults.push(`pictures of pages ${changed.map((index) => index + 1).join(', ')}`);
  return faults;
}

/**
 * PDFium replaces a missing font by one that it saw before, so pages that look different are rendered again, one
 * document at a time.
 */
async function reallyChanged(
  changed: readonly number[],
  whole: Uint8Array,
  part: Uint8Array,
  seen: readonly number[],
  annotations: boolean,
): Promise<number[]> {
  if (changed.length === 0) return [];
  const before = await pictureHashes(whole, Math.max(...changed) + 1, annotations);
  const after = await pictureHashes(part, seen.length, annotations);
  return changed.filter((index) => before[index] !== after[seen.indexOf(index)]);
}

/** Words that occur only on removed pages. */
function wordsGone({ words, elsewhere }: WholeSource, kept: readonly number[]): Set<string> {
  const stays = new Set(kept);
  const here = new Set(kept.flatMap((index) => [...(words[index] ?? [])]));
  const hereAll = [...here].join('\n');
  return new Set(
    words
      .flatMap((set, index) => (stays.has(index) ? [] : [...set]))
      .filter((word) => !here.has(word) && !elsewhere.includes(word) && !hereAll.includes(word)),
  );
}

function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Words in a page's content and its annotations. */
function contentOf(context: PDFContext, page: PDFDict): string {
  const contents = resolve(context, entry(page, 'Contents'));
  const streams = contents instanceof PDFArray ? contents.asArray().map((item) => resolve(context, item)) : [contents];
  const shown = streams.map((stream) => (stream instanceof PDFRawStream ? strings(plainText(context, stream)) : ''));
  const annotations = resolve(context, entry(page, 'Annots'));
  const notes =
    annotations instanceof PDFArray ? annotations.asArray().flatMap((item) => notesIn(context, item, 0)) : [];
  return [...shown, ...notes].join('\n');
}

/** The text of an annotation and of the fields above it. */
function notesIn(context: PDFContext, value: PDFObject | undefined, depth: number): string[] {
  const object = resolve(context, value);
  if (depth > 8 || object instanceof PDFStream) return [];
  if (object instanceof PDFArray) return object.asArray().flatMap((item) => notesIn(context, item, depth + 1));
  if (!(object instanceof PDFDict)) return [textIn(object)];
  return object
    .entries()
    .flatMap(([key, below]) =>
      ['P', 'Dest', 'Kids', 'Popup', 'IRT', 'Next', 'D'].includes(key.decodeText())
        ? []
        : notesIn(context, below, depth + 1),
    );
}

/** The strings of a content stream, hexadecimal ones as written. */
function strings(content: string): string {
  return [...content.matchAll(/\(((?:\\[\s\S]|[^()\\])*)\)|<([\dA-Fa-f\s]{16,})>/g)]
    .map(([, plain = '', hex = '']) => plain || hex)
    .join('\n');
}

function plainText(context: PDFContext, stream: PDFRawStream): string {
  try {
    return Buffer.from(decodeStream(stream, (value) => resolve(context, value)) ?? stream.contents).toString('latin1');
  } catch {
    return '';
  }
}

function textIn(value: PDFObject | undefined): string {
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : '';
}

/** All strings and streams of a document, each stream inflated. */
function everythingSaid(context: PDFContext): string {
  const said: string[] = [];
  for (const [, object] of context.enumerateIndirectObjects()) said.push(...saidBy(context, object));
  return said.join('\n');
}

function saidBy(context: PDFContext, object: PDFObject | undefined): string[] {
  if (object instanceof PDFArray) return object.asArray().flatMap((item) => saidBy(context, item));
  if (object instanceof PDFDict) return object.values().flatMap((item) => saidBy(context, item));
  // Font programs and colour profiles contain texts of their vendors.
  if (
    object instanceof PDFRawStream &&
    ['Length1', 'Length2', 'N'].some((key) => entry(object.dict, key) !== undefined)
  )
    return [];
  if (object instanceof PDFRawStream)
    return [...saidBy(context, object.dict), plainText(context, object), wide(plainText(context, object))];
  return [textIn(object)];
}

/** UTF-16 bytes, decoded. */
function wide(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : '';
}

/** All that the trailer reaches without passing a page, an annotation or a structure element. */
function elsewhereIn(context: PDFContext): string {
  const said: string[] = [];
  const seen = new Set<PDFObject>();
  const waiting: (PDFObject | undefined)[] = [context.trailerInfo.Info];
  const catalog = resolve(context, context.trailerInfo.Root);
  if (catalog instanceof PDFDict)
    for (const [key, value] of catalog.entries()) if (!OF_PAGES.has(key.decodeText())) waiting.push(value);
  while (waiting.length > 0) {
    const value = waiting.pop();
    const object = value instanceof PDFRef ? resolve(context, value) : value;
    if (object === undefined || seen.has(object)) continue;
    seen.add(object);
    if (object instanceof PDFArray) waiting.push(...object.asArray());
    const dict = object instanceof PDFStream ? object.dict : object;
    if (dict instanceof PDFDict)
      for (const [key, below] of dict.entries())
        if (!['P', 'Pg', 'Dest', 'D', 'Parent', 'MK', 'AP', 'V', 'DV', 'TU', 'Opt'].includes(key.decodeText()))
          waiting.push(below);
    if (object instanceof PDFRawStream) said.push(plainText(context, object));
    else said.push(textIn(object));
  }
  return said.join('\n');
}
