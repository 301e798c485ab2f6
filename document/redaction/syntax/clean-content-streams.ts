import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import {
  asDict,
  asName,
  asNumber,
  dictOfHolder,
  elements,
  entry,
  everyObject,
  resolve,
} from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { decodedBytes } from '../document-data/found-in.js';
import { rewriteStreams } from '../document-data/rewrite-streams.js';
import { cleanContent, type ContentRules } from './clean-content.js';
import { ContentSurvey } from './content-survey.js';

/**
 * Removes found text from content streams and character maps, in place, besides the text that they show
 * (`cleanContent`): pages, forms, pattern cells, glyph procedures, /ToUnicode and embedded CMaps. Returns the number of
 * changed streams.
 */
export function cleanContentStreams(context: PDFContext, pages: readonly PageEntry[], rules: ContentRules): number {
  const { content, maps } = streamsOf(context, pages);
  const changed = new Map<PDFRawStream, Uint8Array>();
  const survey = new ContentSurvey(rules.find, rules.names);
  const clean = (stream: PDFRawStream, isMap: boolean): void => {
    const bytes = decodedBytes(context, stream);
    if (bytes === undefined || (!isMap && !survey.mayHoldText(bytes))) return;
    const now = cleanContent(bytes, { ...rules, isMap });
    if (now !== undefined) changed.set(stream, now);
  };
  for (const stream of content) clean(stream, false);
  for (const stream of maps) if (!content.has(stream)) clean(stream, true);
  return rewriteStreams(context, changed);
}

/** Returns all streams with page description operators, and those with character maps, each once. */
function streamsOf(
  context: PDFContext,
  pages: readonly PageEntry[],
): { readonly content: ReadonlySet<PDFRawStream>; readonly maps: ReadonlySet<PDFRawStream> } {
  const [content, maps] = [new Set<PDFRawStream>(), new Set<PDFRawStream>()];
  const add = (value: PDFObject | undefined, to: Set<PDFRawStream>): void => {
    const stream = resolve(context, value);
    if (stream instanceof PDFRawStream) to.add(stream);
  };
  const addPage = (dict: PDFDict): void => {
    add(entry(dict, 'Contents'), content);
    for (const value of elements(context, entry(dict, 'Contents'))) add(value, content);
  };
  for (const { dict } of pages) addPage(dict);
  for (const object of everyObject(context)) {
    if (object instanceof PDFArray) continue;
    const dict = dictOfHolder(object);
    if (
      object instanceof PDFRawStream &&
      (asName(context, entry(dict, 'Subtype')) === 'Form' || asNumber(context, entry(dict, 'PatternType')) === 1)
    )
      content.add(object);
    if (!(object instanceof PDFDict)) continue;
    if (asName(context, entry(dict, 'Type')) === 'Page') addPage(dict);
    for (const value of asDict(context, entry(dict, 'CharProcs'))?.values() ?? []) add(value, content);
    if (entry(dict, 'BaseFont') !== undefined || entry(dict, 'FontBBox') !== undefined)
      for (const key of ['ToUnicode', 'Encoding']) add(entry(dict, key), maps);
  }
  return { content, maps };
}
