import { type PageBox, rectFromFrame } from '../geometry.ts';
import type { PageRect, SearchMatch, SearchQuery } from '../protocol.ts';
import { type Letters, LINE_HYPHEN, letterText, readLetters } from './letters.ts';
import type { WorkerDocument } from './open.ts';
import type { Work } from './schedule.ts';

const MOST_MATCHES = 5000;
const EXCERPT_LETTERS = 40;

/** A text in which differences that nobody searches for are gone, and the letter that each character came from. */
interface Folded {
  readonly text: string;
  readonly letters: readonly number[];
}

/**
 * Searches all pages, beginning at `from`, and reports the matches of each page. Pages that cannot be read have none.
 */
export function* searchDocument(
  document: WorkerDocument,
  query: SearchQuery,
  from: number,
  report: (matches: readonly SearchMatch[], searched: number) => void,
): Work {
  const wanted = fold([...query.text.trim()], query.matchCase).text;
  let left = MOST_MATCHES;
  for (let i = 0; i < document.pageCount && left > 0 && wanted !== ''; i++) {
    const page = (from + i) % document.pageCount;
    const matches = searchPage(document, page, wanted, query).slice(0, left);
    left -= matches.length;
    report(matches, i + 1);
    yield;
  }
  return undefined;
}

function searchPage(document: WorkerDocument, page: number, wanted: string, query: SearchQuery): SearchMatch[] {
  let letters: Letters;
  try {
    letters = readLetters(document, page);
  } catch {
    return [];
  }
  const texts = Array.from(letters.codes, (code, i) => textOf(letters, code, i));
  const folded = fold(texts, query.matchCase);
  const matches: SearchMatch[] = [];
  for (let at = folded.text.indexOf(wanted); at >= 0; at = folded.text.indexOf(wanted, at + wanted.length)) {
    if (query.wholeWords && !isWhole(folded.text, at, wanted.length)) continue;
    const first = folded.letters[at] ?? 0;
    const last = folded.letters[at + wanted.length - 1] ?? first;
    matches.push({ page, rects: rectsOf(letters, first, last, document.box(page)), ...excerpt(texts, first, last) });
  }
  return matches;
}

/** A divided word is found whole: the hyphen and the line end after it count as nothing. */
function textOf(letters: Letters, code: number, i: number): string {
  if (code === LINE_HYPHEN) return '';
  if (code === 10 || code === 13) {
    for (let before = i - 1; before >= 0 && before > i - 3; before--)
      if (letters.codes[before] === LINE_HYPHEN) return '';
    return ' ';
  }
  return letterText(code);
}

/** Folds accents, widths, ligatures and (unless `matchCase`) case; several spaces become one. */
function fold(texts: readonly string[], matchCase: boolean): Folded {
  let text = '';
  const letters: number[] = [];
  texts.forEach((raw, i) => {
    let folded = raw.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/gu, ' ');
    if (!matchCase) folded = folded.toLowerCase();
    if (folded === ' ' && (text === '' || text.endsWith(' '))) return;
    text += folded;
    for (let n = 0; n < folded.length; n++) letters.push(i);
  });
  return { text, letters };
}

function isWhole(text: string, at: number, length: number): boolean {
  const letter = /[\p{L}\p{N}]/u;
  return !letter.test(text[at - 1] ?? ' ') && !letter.test(text[at + length] ?? ' ');
}

function excerpt(texts: readonly string[], first: number, last: number): Omit<SearchMatch, 'page' | 'rects'> {
  const join = (from: number, to: number): string => texts.slice(Math.max(0, from), to).join('').replace(/\s+/gu, ' ');
  const before = join(first - EXCERPT_LETTERS, first).trimStart();
  const found = join(first, last + 1);
  return {
    excerpt: before + found + join(last + 1, last + 1 + EXCERPT_LETTERS).trimEnd(),
    from: before.length,
    to: before.length + found.length,
  };
}

/** One rectangle for each line of the match. */
function rectsOf({ boxes, generated }: Letters, first: number, last: number, box: PageBox): PageRect[] {
  const rects: PageRect[] = [];
  for (let i = first; i <= last; i++) {
    const [left = 0, bottom = 0, right = 0, top = 0] = boxes.subarray(i * 4, i * 4 + 4);
    if (generated[i] === 1 || right <= left || top <= bottom) continue;
    const rect = rectFromFrame(box, 'page', { left, bottom, right, top });
    const before = rects.at(-1);
    if (before !== undefined && sameLine(before, rect)) rects[rects.length - 1] = union(before, rect);
    else rects.push(rect);
  }
  return rects;
}

function sameLine(a: PageRect, b: PageRect): boolean {
  const overlap = (a0: number, a1: number, b0: number, b1: number): number => Math.min(a1, b1) - Math.max(a0, b0);
  const across = overlap(a.y, a.y + a.height, b.y, b.y + b.height);
  const along = overlap(a.x, a.x + a.width, b.x, b.x + b.width);
  const near = 1.5 * Math.min(a.height, b.height, Math.max(a.width, b.width));
  return (
    (across > 0.5 * Math.min(a.height, b.height) && along > -near) ||
    (along > 0.5 * Math.min(a.width, b.width) && across > -1.5 * Math.min(a.width, b.width) && a.height > a.width)
  );
}

function union(a: PageRect, b: PageRect): PageRect {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
