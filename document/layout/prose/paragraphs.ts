import type { Align, Box, Direction } from '../model.js';
import type { Column } from './columns.js';
import { around, directionOfLines, type Line, lineText } from './line.js';
import { isBullet, type Marker, markerOf } from './markers.js';

/** Lines that belong together, before it is known what they are. */
export interface Para {
  readonly lines: readonly Line[];
  /** Of the lines in its first column. */
  readonly box: Box;
  /** Where it goes on in further columns: the index of the line, and the box of the lines there. */
  readonly joins?: readonly { readonly line: number; readonly box: Box }[];
  /** Edges of its column. */
  readonly left: number;
  readonly right: number;
  readonly align: Align;
  readonly direction: Direction;
  readonly indent: { readonly left: number; readonly right: number; readonly first: number };
  /** From base line to base line; 0 for one line. */
  readonly leading: number;
  readonly keepsLines: boolean;
  readonly size: number;
  readonly bold: boolean;
  readonly monospace: boolean;
  readonly marker: Marker | undefined;
  /** White space above it in its column; a large number for the first. */
  readonly above: number;
}

/** Text that ends a sentence. */
export const ENDS = /[.!?:;\u2026\u3002\uff01\uff1f][)"'\u00bb\u201d\u2019\]]*$/u;
const RAISED_MARK = /^(?:\d{1,3}|[*\u2020\u2021\u00a7\u00b6]{1,3}|[a-z])$/u;

/** A line of verse: each begins with a capital. */
const CAPITAL = /^[\p{P}\s]*\p{Lu}/u;
/** Lines that all end before this part of the text's width are verse or an address. */
const VERSE = 0.6;
/** A line of prose that is not justified may be so short, in parts of the width. */
const RAGGED = 0.7;
const LOWER = /^[\p{P}\s]*\p{Ll}/u;

/** How a line is joined to the one above it. */
type Break = 'none' | 'line' | 'paragraph';

/** Splits a column into paragraphs. `width` is its text area: left and right edge. */
export function paragraphsOf(column: Column, width: Edges): Para[] {
  const { lines } = column;
  const leading = usualLeading(lines);
  const paras: Para[] = [];
  for (let from = 0; from < lines.length;) {
    let to = from + 1;
    while (to < lines.length && !isParted(lines[to - 1]!, lines[to]!, leading)) to++;
    paras.push(
      ...parasOf(
        lines.slice(from, to),
        column,
        width,
        from === 0 ? Infinity : lines[from]!.box.top - lines[from - 1]!.box.bottom,
      ),
    );
    from = to;
  }
  return paras;
}

interface Edges {
  readonly left: number;
  readonly right: number;
}

/**
 * The paragraphs of lines without a gap between them. What is above and below may be wider, so several lines are
 * measured by themselves.
 */
function parasOf(lines: readonly Line[], column: Column, width: Edges, above: number): Para[] {
  const own = around(lines.map(({ box }) => box));
  const wide = lines.length > 2 && own.right - own.left > 0.3 * (width.right - width.left);
  const frame = wide ? own : { left: Math.min(own.left, width.left), right: Math.max(own.right, width.right) };
  const breaks = lines.map((_, i): Break =>
    i === 0
      ? 'paragraph'
      : breakBetween(
          lines,
          i,
          lines.length > 2 ? own : /^\p{Lu}/u.test(lines[1]?.words[0]?.text ?? '') ? frame : column.box,
        ),
  );
  settle(lines, breaks, {
    narrow: own.right - own.left < VERSE * (width.right - width.left),
    width: own.right - own.left,
  });
  const paras: Para[] = [];
  for (let from = 0; from < lines.length;) {
    let to = from + 1;
    while (to < lines.length && breaks[to] !== 'paragraph') to++;
    paras.push(
      paraOf(
        lines.slice(from, to),
        frame,
        breaks.slice(from + 1, to).includes('line'),
        from === 0 ? above : lines[from]!.box.top - lines[from - 1]!.box.bottom,
      ),
    );
    from = to;
  }
  return paras;
}

/** The distance of base lines that most lines have; 1.2 sizes where there are too few. */
function usualLeading(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  for (let i = 1; i < lines.length; i++) {
    const [a, b] = [lines[i - 1]!, lines[i]!];
    if (Math.abs(a.size - b.size) > 0.1 * a.size) continue;
    const relative = Math.round(((b.baseline - a.baseline) / (a.size || 1)) * 20) / 20;
    counts.set(relative, (counts.get(relative) ?? 0) + 1);
  }
  let [found, most] = [0, 1];
  for (const [relative, count] of counts)
    if (count > most || (count === most && found !== 0 && relative < found)) [found, most] = [relative, count];
  return found > 0.7 && found < 2.2 ? found : 0;
}

/** True for lines that a gap, another size or another kind of text parts. */
function isParted(before: Line, line: Line, usual: number): boolean {
  const size = Math.max(before.size, line.size) || 1;
  const ratio = size / (Math.min(before.size, line.size) || 1);
  if ((line.baseline - before.baseline) / size > (usual > 0 ? usual * 1.22 + 0.05 : 1.75)) return true;
  if (ratio > 1.12 && line.letters > 3 && before.letters > 3) return true;
  if (before.monospace !== line.monospace && Math.min(before.letters, line.letters) > 2) return true;
  return before.direction !== line.direction && Math.min(before.letters, line.letters) > 8;
}

function breakBetween(lines: readonly Line[], i: number, edges: Edges): Break {
  const [before, line] = [lines[i - 1]!, lines[i]!];
  const size = Math.max(before.size, line.size) || 1;
  if (before.monospace && line.monospace) return 'line';
  const marker = markerOf(line);
  if (isBullet(marker)) return 'paragraph';
  const shortBefore = isShort(before, line, edges);
  if (marker !== undefined && (shortBefore || hangs(before, line) || markerOf(before) !== undefined))
    return 'paragraph';
  if (isRaised(line)) return 'paragraph';
  if (before.bold !== line.bold && shortBefore) return 'paragraph';
  // An indented first line, or one that stands out where the lines above are indented.
  const [start, startBefore] =
    line.direction === 'ltr' ? [line.box.left, before.box.left] : [-line.box.right, -before.box.right];
  const centred = isCentred(before, edges) && isCentred(line, edges);
  if (
    !centred &&
    start - startBefore > 0.7 * size &&
    start - startBefore < 6 * size &&
    (lines[i + 1] === undefined || indentsBack(line, lines[i + 1]!, size)) &&
    markerOf(before) === undefined &&
    (ENDS.test(lineText(before)) || shortBefore)
  )
    return 'paragraph';
  if (before.gappy || line.gappy) return 'line';
  return shortBefore ? 'line' : 'none';
}

function indentsBack(line: Line, next: Line, size: number): boolean {
  return line.direction === 'ltr'
    ? line.box.left - next.box.left > 0.5 * size
    : next.box.right - line.box.right > 0.5 * size;
}

/** True if the first word of the next line would have fitted. */
function isShort(before: Line, line: Line, edges: Edges): boolean {
  if (isDivided(before)) return false;
  const first = line.words[0]!.box;
  const room = line.direction === 'ltr' ? edges.right - before.box.right : before.box.left - edges.left;
  if (isCentred(before, edges) && isCentred(line, edges)) return room * 2 > first.right - first.left + line.size * 1.2;
  return room > Math.min(first.right - first.left, 12 * line.size) + 0.6 * line.size;
}

/** True for a line that ends within a word. */
function isDivided({ words }: Line): boolean {
  const last = words.at(-1)!;
  return last.divided || /\p{L}[-\u2010]$/u.test(last.text);
}

function isCentred({ box, size }: Line, { left, right }: Edges): boolean {
  return box.left - left > size && Math.abs(box.left - left - (right - box.right)) < 0.8 * size;
}

/** True where a line begins before the one above it, as the next item of a list does. */
function hangs(before: Line, line: Line): boolean {
  return line.direction === 'ltr'
    ? before.box.left - line.box.left > 0.5 * line.size
    : line.box.right - before.box.right > 0.5 * line.size;
}

/** True for a line that begins with a small raised mark: a footnote. */
function isRaised(line: Line): boolean {
  const [first, second] = line.words;
  return (
    first !== undefined &&
    second !== undefined &&
    first.style.size < 0.85 * second.style.size &&
    first.baseline < second.baseline - 0.1 * second.style.size &&
    RAISED_MARK.test(first.text)
  );
}

/**
 * Line breaks that were meant: where all lines of a stretch are short they stay as they are (addresses, verse), but for
 * sentences one to a line across the page; in prose a short line ends a paragraph.
 */
function settle(
  lines: readonly Line[],
  breaks: Break[],
  { narrow, width }: { readonly narrow: boolean; readonly width: number },
): void {
  for (let from = 0; from < lines.length;) {
    let to = from + 1;
    while (to < lines.length && breaks[to] !== 'paragraph') to++;
    const inside = breaks.slice(from + 1, to);
    const short = inside.filter((one) => one === 'line').length;
    // The longest lines of verse look full; in prose few lines are short, and few begin with capitals.
    const capitals = inside.length > 1 && lines.slice(from, to).every((line) => CAPITAL.test(lineText(line)));
    if (
      short > 0 &&
      ((narrow && inside.length > 2 && short > 2 * (inside.length - short)) || (capitals && short < inside.length))
    )
      breaks.fill('line', from + 1, to);
    else if (short > 0 && short < inside.length) {
      for (let i = from + 1; i < to; i++)
        if (breaks[i] === 'line') breaks[i] = isMidSentence(lines[i - 1]!, lines[i]!, width) ? 'none' : 'paragraph';
    } else if (short > 0 && !narrow && !lines[from]!.monospace) {
      // Sentences one to a line are paragraphs.
      for (let i = from + 1; i < to; i++)
        if (ENDS.test(lineText(lines[i - 1]!)) && !lines[i - 1]!.gappy) breaks[i] = 'paragraph';
    }
    from = to;
  }
}

/** True where a short line does not end its sentence: the text is not justified, and its lines differ. */
function isMidSentence(before: Line, line: Line, width: number): boolean {
  if (before.gappy || line.gappy || ENDS.test(lineText(before)) || markerOf(line) !== undefined) return false;
  return LOWER.test(lineText(line)) || before.box.right - before.box.left > RAGGED * width;
}

function paraOf(lines: readonly Line[], frame: Edges, keepsLines: boolean, above: number): Para {
  const box = around(lines.map((line) => line.box));
  const size = mostSize(lines);
  const direction = directionOfLines(lines);
  const align = alignOf(lines, frame, size, direction);
  const rest = lines.length > 1 ? lines.slice(1) : lines;
  const first = lines[0]!;
  const start =
    direction === 'ltr'
      ? Math.min(...rest.map((line) => line.box.left))
      : Math.max(...rest.map((line) => line.box.right));
  const indented = align === 'left' || align === 'justify' || direction === 'rtl';
  return {
    lines,
    box,
    left: frame.left,
    right: frame.right,
    align,
    direction,
    keepsLines,
    size,
    above,
    indent: {
      left: indented ? Math.max(0, (direction === 'ltr' ? start : box.left) - frame.left) : 0,
      right: direction === 'rtl' ? Math.max(0, frame.right - start) : 0,
      first:
        lines.length > 1 && indented ? (direction === 'ltr' ? first.box.left - start : start - first.box.right) : 0,
    },
    leading: lines.length > 1 ? (lines.at(-1)!.baseline - first.baseline) / (lines.length - 1) : 0,
    bold: lines.every((line) => line.bold),
    monospace: lines.every((line) => line.monospace),
    marker: markerOf(first),
  };
}

function mostSize(lines: readonly Line[]): number {
  const sizes = new Map<number, number>();
  for (const { size, letters } of lines) sizes.set(size, (sizes.get(size) ?? 0) + letters);
  return [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

function alignOf(lines: readonly Line[], { left, right }: Edges, size: number, direction: Direction): Align {
  const start: Align = direction === 'ltr' ? 'left' : 'right';
  const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
  const near = 0.35 * size;
  if (lines.length === 1) {
    const { box } = lines[0]!;
    const [before, after] = [box.left - left, right - box.right];
    if (before > 2 * size && Math.abs(before - after) < 0.06 * (right - left)) return 'center';
    if (direction === 'ltr' && after < near && before > 0.35 * (right - left)) return 'right';
    if (direction === 'rtl' && before < near && after > 0.35 * (right - left)) return 'left';
    return start;
  }
  const lefts = lines.slice(1).map(({ box }) => box.left);
  const rights = lines.slice(0, -1).map(({ box }) => box.right);
  const centres = lines.map(({ box }) => (box.left + box.right) / 2);
  const inner =
    direction === 'ltr'
      ? [spread(lefts), spread(rights)]
      : [spread(lines.slice(1).map(({ box }) => box.right)), spread(lines.slice(0, -1).map(({ box }) => box.left))];
  if (spread(centres) < near && spread(lines.map(({ box }) => box.left)) > near) return 'center';
  if (inner[0]! <= near && inner[1]! <= near && lines.length > 2) return 'justify';
  if (inner[0]! <= near) return start;
  if (spread(direction === 'ltr' ? lines.map(({ box }) => box.right) : lines.map(({ box }) => box.left)) <= near)
    return direction === 'ltr' ? 'right' : 'left';
  return start;
}
