import { type PDFContext, PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import { ContentLexer } from '../../content/index.js';
import { asDict, asName, asNumber, elements, entry, resolve } from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { everyObject } from '../../file/objects/index.js';
import { decodedBytes, isFoundInBytes } from './found-in.js';
import { rewriteStreams } from './rewrite-streams.js';
import type { TextFinder } from './text-finder.js';

const PERCENT = 0x25;
const BLANK = 0x20;

/**
 * Overwrites comments in content streams (ISO 32000-1, 7.2.4) that contain found text, in place: in pages, forms,
 * pattern cells and glyph procedures. No page shows comments, but anyone who decompresses a stream can read them.
 * Returns the number of changed streams.
 */
export function blankComments(context: PDFContext, pages: readonly PageEntry[], find: TextFinder): number {
  const changed = new Map<PDFRawStream, Uint8Array>();
  for (const stream of contentOf(context, pages)) {
    const bytes = decodedBytes(context, stream);
    if (bytes?.includes(PERCENT) !== true) continue;
    const comments: [number, number][] = [];
    const lexer = new ContentLexer(bytes, 0, (from, to) => comments.push([from, to]));
    while (lexer.next() !== undefined);
    if (
      comments.length === 0 ||
      !isFoundInBytes(
        Buffer.concat(comments.flatMap(([from, to]) => [bytes.subarray(from, to), Buffer.from('\n')])),
        find,
      )
    )
      continue;
    const blanked = Buffer.from(bytes);
    for (const [from, to] of comments) blanked.fill(BLANK, from, to);
    changed.set(stream, blanked);
  }
  return rewriteStreams(context, changed);
}

/** Returns all streams with page description operators, each once. */
function contentOf(context: PDFContext, pages: readonly PageEntry[]): ReadonlySet<PDFRawStream> {
  const found = new Set<PDFRawStream>();
  const add = (value: PDFObject | undefined): void => {
    const stream = resolve(context, value);
    if (stream instanceof PDFRawStream) found.add(stream);
  };
  for (const { dict } of pages) {
    add(entry(dict, 'Contents'));
    for (const value of elements(context, entry(dict, 'Contents'))) add(value);
  }
  for (const object of everyObject(context)) {
    if (
      object instanceof PDFRawStream &&
      (asName(context, entry(object.dict, 'Subtype')) === 'Form' ||
        asNumber(context, entry(object.dict, 'PatternType')) === 1)
    )
      found.add(object);
    if (object instanceof PDFDict)
      for (const value of asDict(context, entry(object, 'CharProcs'))?.values() ?? []) add(value);
  }
  return found;
}
