import type { AnchoredComment } from '@quire/document/structure/annotations';
import { pageLines, readPdf, type TextLine } from '@quire/document/content/text';
import { Quotations, type QuotedPlace } from '../texts/quotations.js';
import type { ModelComment } from './ask-comments.js';

/** How notes are signed. */
export interface NoteMarks {
  readonly author: string;
  readonly subject: string;
}

/**
 * Places comments: before the line in which their quotation starts, on the named page or else on the first page with
 * it; in the margin of the named page if it is nowhere, or of the first page if that page does not exist. Throws the
 * codes of `readPdf` and the signal's reason.
 */
export async function placeComments(
  path: string,
  comments: readonly ModelComment[],
  { author, subject }: NoteMarks,
  signal: AbortSignal,
): Promise<AnchoredComment[]> {
  return readPdf({ path }, (document) => {
    const count = document.reachablePages();
    const quotations = new Quotations(document);
    const lines = new Map<number, readonly TextLine[]>();
    const taken = new Map<string, number>();
    const nth = (place: string): number => {
      const before = taken.get(place) ?? 0;
      taken.set(place, before + 1);
      return before;
    };
    return comments.map(({ page, quotation, text }) => {
      signal.throwIfAborted();
      const named = page >= 1 && page <= count ? page - 1 : undefined;
      const found = quotation === '' ? undefined : quotations.pageOf(quotation, count, named);
      const place = found === undefined ? undefined : quotations.placeOf(found, quotation);
      const pageIndex = found ?? named ?? 0;
      const note = { pageIndex, x: 0, y: 0, width: 0, height: 0, text, author, subject };
      if (place === undefined) return { ...note, place: { at: 'margin', nth: nth(`margin ${pageIndex}`) } as const };
      const onPage = lines.get(pageIndex) ?? pageLines(document, pageIndex);
      lines.set(pageIndex, onPage);
      const whole = lineAround(onPage, place) ?? place;
      return {
        ...note,
        line: place,
        place: {
          at: 'before',
          whole,
          nth: nth([pageIndex, whole.left, whole.bottom, onLine(place, whole)].join(' ')),
        } as const,
      };
    });
  });
}

/** The smallest line of text around a place, so that a note before it covers none of it. */
function lineAround(lines: readonly TextLine[], { left, bottom, right, top }: QuotedPlace): TextLine | undefined {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2];
  const around = lines.filter((line) => line.left <= x && x <= line.right && line.bottom - 1 <= y && y <= line.top + 1);
  return around.sort((a, b) => areaOf(a) - areaOf(b))[0];
}

function areaOf({ left, bottom, right, top }: QuotedPlace): number {
  return (right - left) * (top - bottom);
}

/**
 * Distance of a place from the start of its line, in multiples of its height; separates places that a hyphen joins to
 * one line.
 */
function onLine(place: QuotedPlace, whole: QuotedPlace): number {
  const [width, height] = [whole.right - whole.left, whole.top - whole.bottom];
  return width >= height
    ? Math.round((whole.top - place.top) / Math.max(1, place.top - place.bottom))
    : Math.round((place.left - whole.left) / Math.max(1, place.right - place.left));
}
