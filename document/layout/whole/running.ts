import type { Artefact } from '../model.js';
import { type Line, lineText } from '../prose/line.js';
import { numberFollows, PAGE_NUMBER, pageNumberOf } from './page-numbers.js';

/** Parts of the page's height at its upper and lower edge in which running titles stand. */
const ZONE = 0.13;
/** Lines of a zone that are looked at. */
const MOST_LINES = 4;
/** Distance in points within which a line counts as being at the same position on another page. */
const NEAR = 7;
/** Text so many times as large as the body is a title of its page, even where other pages have the same. */
const TITLE = 1.3;
const TITLE_ON_SCAN = 1.8;
/** A title with a number is one already if it is bold, or so many times as large as the body. */
const NUMBERED_TITLE = 1.13;
/** Lines of a paragraph are at most so many sizes apart. */
const MOST_LEADING = 1.9;

/** A line near the edge of a page, as it is compared with those of other pages. */
export interface EdgeLine {
  readonly line: Line;
  /** 1-based number of its page. */
  readonly page: number;
  readonly upper: boolean;
  /** In lower case. */
  readonly text: string;
  /** The text with digits as #. */
  readonly shape: string;
  readonly y: number;
  /** True for a line of a paragraph that goes on outside the edge. */
  readonly inText: boolean;
}

/** The lines near the upper and lower edge. */
export function edgeLines(lines: readonly Line[], height: number, page: number): EdgeLine[] {
  const sorted = [...lines].sort((a, b) => a.baseline - b.baseline);
  const upper = sorted.filter(({ box }) => box.bottom < ZONE * height);
  const lower = sorted.filter(({ box }) => box.top > (1 - ZONE) * height).reverse();
  return [...edge(upper, sorted, true, page), ...edge(lower, sorted.reverse(), false, page)];
}

/** `zone` and `all` in their order from the edge of the page. */
function edge(zone: readonly Line[], all: readonly Line[], upper: boolean, page: number): EdgeLine[] {
  const inText = linesOfText(zone, all);
  return zone.slice(0, MOST_LINES).map((line) => {
    const text = lineText(line).slice(0, 200).toLowerCase().trim();
    return {
      line,
      page,
      upper,
      text,
      shape: text.replace(/\p{Nd}+/gu, '#'),
      y: line.baseline,
      inText: inText.has(line),
    };
  });
}

/** The lines of a zone that the text outside it continues at its own distance of lines. */
function linesOfText(zone: readonly Line[], all: readonly Line[]): Set<Line> {
  const found = new Set<Line>();
  for (const line of zone.toReversed()) {
    const at = all.indexOf(line);
    const next = continuation(line, all, at);
    if (next === undefined) continue;
    if (zone.includes(next)) {
      if (found.has(next)) found.add(line);
      continue;
    }
    const after = continuation(next, all, all.indexOf(next));
    if (after === undefined) continue;
    const [own, usual] = [Math.abs(next.baseline - line.baseline), Math.abs(after.baseline - next.baseline)];
    if (Math.abs(own - usual) <= 0.06 * usual) found.add(line);
  }
  return found;
}

/** The line next to this one, away from the edge, that looks like the same paragraph. */
function continuation(line: Line, all: readonly Line[], at: number): Line | undefined {
  for (let i = at + 1; i < all.length; i++) {
    const other = all[i]!;
    const distance = Math.abs(other.baseline - line.baseline);
    if (distance > MOST_LEADING * line.size) return undefined;
    if (distance < 0.7 * line.size || other.box.left > line.box.right || other.box.right < line.box.left) continue;
    return isAlike(line, other) ? other : undefined;
  }
  return undefined;
}

function isAlike(a: Line, b: Line): boolean {
  const [one, other] = [a.words[0]!.style, b.words[0]!.style];
  const start = a.direction === 'rtl' ? a.box.right - b.box.right : a.box.left - b.box.left;
  return (
    Math.abs(a.size - b.size) <= 0.03 * a.size &&
    a.bold === b.bold &&
    one.family === other.family &&
    one.italic === other.italic &&
    a.direction === b.direction &&
    Math.abs(start) <= 2.5 * a.size
  );
}

/** Facts by which a page's running lines are found. */
export interface RunningSetting {
  /** Number of this page. */
  readonly number: number;
  /** Size of most of the document's text. */
  readonly bodySize: number;
}

/**
 * Returns the edge lines of a page that are not body text: page numbers, and lines that nearby pages have at the same
 * position in the same words, but for a number that counts the pages.
 */
export function runningLines(
  own: readonly EdgeLine[],
  near: readonly (readonly EdgeLine[])[],
  { number, bodySize }: RunningSetting,
): Map<Line, Artefact['kind']> {
  const found = new Map<Line, Artefact['kind']>();
  for (const edge of own) {
    const { line, shape, upper } = edge;
    // A title is at the top of its page.
    if (shape === '' || (upper && isTitle(line, bodySize))) continue;
    const numbered = PAGE_NUMBER.test(shape);
    const others = near.flatMap((lines) =>
      lines.filter((other) => other.upper === upper && Math.abs(other.y - edge.y) < NEAR),
    );
    const follow = others.filter((other) => numberFollows(edge, other)).length;
    const repeated =
      follow >= (numbered || !isNumberedTitle(line, bodySize) ? 1 : upper ? Infinity : 2) ||
      others.some((other) => other.text === edge.text && !edge.inText && !other.inText);
    const alone = numbered && (/#.*#/.test(shape) || pageNumberOf(edge.text) === number) && isOutermost(edge, own);
    if (!repeated && !alone) continue;
    found.set(line, numbered ? 'pageNumber' : upper ? 'header' : 'footer');
  }
  return found;
}

function isTitle({ size, words }: Line, bodySize: number): boolean {
  return size > (words[0]!.style.invisible ? TITLE_ON_SCAN : TITLE) * (bodySize || 1);
}

/** True for a line that could be a title with a number, by its looks. Sizes on a scan say little. */
function isNumberedTitle({ size, bold, words }: Line, bodySize: number): boolean {
  return !words[0]!.style.invisible && (size > NUMBERED_TITLE * bodySize || (bold && size > 0.95 * bodySize));
}

function isOutermost(edge: EdgeLine, own: readonly EdgeLine[]): boolean {
  return own.every(
    (other) => other.upper !== edge.upper || (edge.upper ? other.y >= edge.y - 1 : other.y <= edge.y + 1),
  );
}
