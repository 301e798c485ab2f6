import { createHash } from 'node:crypto';
import type { PDFDict } from 'pdf-lib';
import type { Quad } from '@quire/document/content';
import { type FoundText, TextSearch } from '@quire/document/redaction/search';
import { fieldFault } from './areas.js';
import type { DocumentHits, PageHits } from './search.js';

/**
 * Names a match by its page (0-based) and place: the same file and terms give the same names, and further terms change
 * only those of matches that they overlap.
 */
export function matchId(page: number, { lines }: Pick<FoundText, 'lines'>): string {
  const places = lines.map(({ quad }) => quad.map((value) => Math.round(value * 10)).join(' ')).join(',');
  return createHash('sha256').update(`${page}:${places}`).digest('hex').slice(0, 16);
}

/** Matches that go while others of their terms stay. */
export interface ChosenHits {
  /** Without the matches that stay. */
  readonly hits: DocumentHits;
  /** Terms of which no match stays: nothing may be left of them. */
  readonly search: TextSearch | undefined;
  /** Letters of removed matches, by page: nothing may be left there. */
  readonly gone: ReadonlyMap<PDFDict, readonly Quad[]>;
}

/** Leaves out the matches with the ids `keep`. Throws INPUT_INVALID for an id that names no match. */
export function chooseHits(hits: DocumentHits, search: TextSearch, keep: ReadonlySet<string>): ChosenHits {
  const unknown = new Set(keep);
  const staying = new Set<number>();
  const pages = new Map<PDFDict, PageHits>();
  const gone = new Map<PDFDict, readonly Quad[]>();
  if (keep.size === 0) return { hits, search, gone };
  let matches = 0;
  for (const [dict, page] of hits.pages) {
    const kept: FoundText[] = [];
    const found = page.found.filter((match) => {
      const id = matchId(page.index, match);
      unknown.delete(id);
      if (!keep.has(id)) return true;
      for (const term of match.terms) staying.add(term);
      kept.push(match);
      return false;
    });
    matches += found.length;
    if (found.length === 0) continue;
    // Boxes must not cover what stays.
    pages.set(dict, { ...page, found, staying: [...page.staying, ...kept.flatMap(({ lines }) => lines)] });
    gone.set(
      dict,
      found.flatMap(({ lines }) => lines.map(({ quad }) => quad)),
    );
  }
  const [first] = unknown;
  if (first !== undefined)
    throw fieldFault(
      'keep',
      `names a match that is not there: ${first}. Search again with redact-preview, with the same file and terms`,
    );
  const whole = search.terms.filter((_term, i) => !staying.has(i));
  return { hits: { pages, matches }, search: whole.length === 0 ? undefined : new TextSearch(whole), gone };
}
