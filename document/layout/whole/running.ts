import type { Artefact } from '../model.js';
import { type Line, lineText } from '../prose/line.js';

/** Parts of the page's height at its upper and lower edge in which running titles stand. */
const ZONE = 0.13;
/** Lines of a zone that are looked at. */
const MOST_LINES = 4;
/** Distance in points within which a line counts as being at the same position on another page. */
const NEAR = 7;
const NUMBER =
  /^[\s\-\u2013\u2014|\u2022.()[\]]*(?:page|seite|p\.|pg\.?|pagina|p\u00e1gina|strana|\u7b2c)?\s*(?:#|[ivxlc]{1,7})\s*(?:\u9875|\u30da\u30fc\u30b8)?(?:\s*(?:of|von|\/|de|sur|di|van|z)\s*#)?[\s\-\u2013\u2014|\u2022.()[\]]*$/iu;

/** A line near the edge of a page, as it is compared with those of other pages. */
export interface EdgeLine {
  readonly line: Line;
  readonly upper: boolean;
  /** Digits as #. */
  readonly text: string;
  readonly y: number;
}

/** The lines near the upper and lower edge. */
export function edgeLines(lines: readonly Line[], height: number): EdgeLine[] {
  const upper = lines
    .filter(({ box }) => box.bottom < ZONE * height)
    .sort((a, b) => a.baseline - b.baseline)
    .slice(0, MOST_LINES);
  const lower = lines
    .filter(({ box }) => box.top > (1 - ZONE) * height)
    .sort((a, b) => b.baseline - a.baseline)
    .slice(0, MOST_LINES);
  const edge =
    (isUpper: boolean) =>
    (line: Line): EdgeLine => ({ line, upper: isUpper, text: comparable(line), y: line.baseline });
  return [...upper.map(edge(true)), ...lower.map(edge(false))];
}

function comparable(line: Line): string {
  return lineText(line)
    .slice(0, 200)
    .toLowerCase()
    .replace(/\p{Nd}+/gu, '#')
    .trim();
}

/**
 * Returns the edge lines of a page that are not body text: lines at the same position on nearby pages, and page
 * numbers. The document has `pageCount` pages; `number` is this one's.
 */
export function runningLines(
  own: readonly EdgeLine[],
  near: readonly (readonly EdgeLine[])[],
  number: number,
  pageCount: number,
): Map<Line, Artefact['kind']> {
  const found = new Map<Line, Artefact['kind']>();
  for (const edge of own) {
    const numbered = NUMBER.test(edge.text);
    const repeated = near.some((lines) =>
      lines.some(
        (other) =>
          other.upper === edge.upper &&
          Math.abs(other.y - edge.y) < NEAR &&
          (other.text === edge.text || (numbered && NUMBER.test(other.text))),
      ),
    );
    const alone =
      numbered &&
      (/#.*#/.test(edge.text) || (pageCount <= 2 && lineText(edge.line).trim() === String(number))) &&
      isOutermost(edge, own);
    if (edge.text === '' || (!repeated && !alone)) continue;
    found.set(edge.line, numbered ? 'pageNumber' : edge.upper ? 'header' : 'footer');
  }
  return found;
}

function isOutermost(edge: EdgeLine, own: readonly EdgeLine[]): boolean {
  return own.every(
    (other) => other.upper !== edge.upper || (edge.upper ? other.y >= edge.y - 1 : other.y <= edge.y + 1),
  );
}
