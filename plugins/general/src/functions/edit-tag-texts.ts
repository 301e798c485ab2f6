import { type PDFContext, PDFDict, PDFHexString, type PDFObject, PDFRef } from 'pdf-lib';
import { asDict, asText, catalogOf, elements, entry, resolve, setEntry } from '@quire/document/file/objects';
import { comparable } from '@quire/document/content';
import { occurrences } from './replace-pieces.js';
import type { TextEdit } from './text-edits.js';

/** Maximum number of elements to examine; the rest of a larger tree stays as it is. */
const MAX_ELEMENTS = 500_000;

/**
 * Replaces text in the alternative texts of tags: /ActualText and the expansions /E of structure elements (ISO 32000-1,
 * 14.9.4 and 14.9.5) on these pages. Elements without a page inherit that of their parents; without any they count as
 * being on any page.
 */
export function editTagTexts(
  context: PDFContext,
  pages: ReadonlySet<PDFRef | undefined>,
  edits: readonly TextEdit[],
  wholeWord: boolean,
): void {
  const catalog = catalogOf(context);
  const root = catalog === undefined ? undefined : asDict(context, entry(catalog, 'StructTreeRoot'));
  const waiting: { readonly value: PDFObject | undefined; readonly page: PDFRef | undefined }[] = [
    { value: root, page: undefined },
  ];
  const seen = new Set<PDFDict>();
  for (let next = waiting.pop(); next !== undefined && seen.size < MAX_ELEMENTS; next = waiting.pop()) {
    const dict = resolve(context, next.value);
    if (!(dict instanceof PDFDict) || seen.has(dict)) continue;
    seen.add(dict);
    const own = entry(dict, 'Pg');
    const page = own instanceof PDFRef ? own : next.page;
    if (page === undefined || pages.has(page))
      for (const key of ['ActualText', 'E']) editEntry(context, dict, key, edits, wholeWord);
    const kids = entry(dict, 'K');
    const list = elements(context, kids);
    for (const value of list.length > 0 ? list : [kids]) waiting.push({ value, page });
  }
}

function editEntry(
  context: PDFContext,
  dict: PDFDict,
  key: string,
  edits: readonly TextEdit[],
  wholeWord: boolean,
): void {
  const before = asText(context, entry(dict, key));
  if (before === undefined) return;
  let text = before;
  for (const { find, replace } of edits) {
    const plain = comparable(text);
    const hits = occurrences(plain, find, wholeWord);
    let at = 0;
    let after = '';
    for (const { start, end } of hits) {
      after += plain.slice(at, start) + replace;
      at = end;
    }
    if (hits.length > 0) text = after + plain.slice(at);
  }
  if (text !== before) setEntry(dict, key, PDFHexString.fromText(text));
}
