import type { Quad } from '@quire/document/content';
import { redactDocumentData } from '@quire/document/redaction/document-data';
import { type Excerpt, finderOf, type FoundText, type TextSearch } from '@quire/document/redaction/search';
import { guardDocument, withPdf } from '@quire/document/file/open';
import { boxOfLine } from './boxes.js';
import { matchId } from './kept-matches.js';
import { locateHits, type OnPage, scanContent, searchWithPdfium } from './search.js';

/** A match on a page that redaction would remove. */
export interface PreviewedMatch extends Excerpt {
  /** Id for the field `keep` of redact-execute. */
  readonly id: string;
  /** 1-based. */
  readonly page: number;
  /** Numbers of the terms that match here, from 1; ready patterns follow the terms. */
  readonly terms: readonly number[];
  /** Letters, line by line, as corners in default user space. */
  readonly letters: readonly Quad[];
  /** The boxes over them. */
  readonly boxes: readonly Quad[];
}

/** What redaction of the same terms would remove. */
export interface RedactionPreview {
  readonly pages: number;
  readonly matches: readonly PreviewedMatch[];
  /** Removals and changes outside page content. */
  readonly elsewhere: Readonly<Record<string, number>>;
  /** As in `RedactionReport`. */
  readonly unreadable: ReadonlyMap<string, number>;
}

/**
 * Searches as `redactDocument` does, with both readers on all pages, and lists the matches in the order of pages and of
 * the text. Nothing is written. Throws PATTERN_TOO_SLOW and the errors of opening and reading.
 */
export function previewRedaction(
  path: string,
  search: TextSearch,
  { signal, onPage }: { readonly signal: AbortSignal; readonly onPage: OnPage },
): Promise<RedactionPreview> {
  return withPdf({ path }, {}, (opened) =>
    guardDocument('fileInput', async () => {
      const scan = scanContent(opened, search, signal, onPage);
      const second = await searchWithPdfium(path, opened.pages.keys(), search, signal);
      const hits = locateHits(opened, search, scan, second, signal);
      const matches = new Map<string, PreviewedMatch>();
      for (const { index, found, staying } of [...hits.pages.values()].sort((a, b) => a.index - b.index))
        for (const match of [...found].sort(byPlace)) {
          const id = matchId(index, match);
          if (matches.has(id)) continue;
          matches.set(id, {
            id,
            page: index + 1,
            terms: match.terms.map((term) => term + 1).sort((a, b) => a - b),
            ...match.excerpt,
            letters: match.lines.map(({ quad }) => quad),
            boxes: match.lines.map((line) => boxOfLine(line, staying, 0)),
          });
        }
      const terms = search.terms.flatMap((term) => (term.regex === true ? [] : [term.text]));
      const {
        privateData: _copies,
        content: _content,
        ...elsewhere
      } = await redactDocumentData(opened, { find: finderOf(search), terms }, { signal });
      return {
        pages: opened.pages.length,
        matches: [...matches.values()],
        elsewhere: Object.fromEntries(Object.entries(elsewhere).filter(([, count]) => count > 0)),
        unreadable: scan.unreadable,
      };
    }),
  );
}

/** From the upper line to the lower one, and from left to right. */
function byPlace(a: FoundText, b: FoundText): number {
  const [one, other] = [a.lines[0], b.lines[0]];
  if (one === undefined || other === undefined) return 0;
  return one.angle - other.angle || other.line - one.line || one.from - other.from;
}
