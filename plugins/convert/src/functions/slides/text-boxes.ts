import type { PageContent, PlacedLink, Word } from '@quire/document/layout';
import { findRuledTables, fromRight, isParted, readingLines } from '@quire/document/layout/tables';

/** Text of one look in a line; `link` leads to an address or a page (1-based). */
export interface BoxRun {
  readonly text: string;
  readonly style: Word['style'];
  readonly link: PlacedLink['link'] | undefined;
  /** Smaller and off the line, like marks of notes. */
  readonly position: 'normal' | 'superscript' | 'subscript';
  /** Points as shown; of a raised or lowered run those of its line. */
  readonly size: number;
}

/** Lines of text that one box of a slide holds. Points of the page as shown, y downwards. */
export interface TextBox {
  /** Before it is turned by `turn` degrees clockwise about its middle. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly turn: number;
  readonly align: 'left' | 'center' | 'right';
  readonly rtl: boolean;
  /** From base line to base line. */
  readonly leading: number;
  readonly lines: readonly (readonly BoxRun[])[];
}

/** A piece of a line, seen along its writing: `from` and `to` along, `base` across. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly base: number;
  readonly size: number;
  readonly rtl: boolean;
  readonly runs: readonly BoxRun[];
}

/** A gap of at least this multiple of the font size separates boxes; smaller gaps are spaces. */
const APART = 1.2;
/** Distance of single lines, and how far below their base line letters reach, in parts of the size. */
const LEADING = 1.2;
const DESCENT = 0.22;
/** Lines of one box: so far apart at most, in sizes, with edges and distances that differ so little (points). */
const MAX_LEADING = 1.75;
const EDGE = 1.5;
/** Marks of list items stand apart from their text by less. */
const MARK = /^(?:[\p{S}\p{Pd}*•◦▪●■□◻➢✓-]|\(?(?:\d{1,3}|\p{L})[.)])$/u;
const MARK_APART = 0.5;
/** So far off the line, in parts of its size, and so much smaller, text is raised or lowered. */
const OFF_LINE = 0.1;
const SMALLER = 0.85;

/**
 * Groups a page's words into text boxes: consecutive lines with a common left, right or centre form one box; parts of a
 * line that are far apart or in cells of a ruled table form separate boxes. Rotated text gets rotated boxes.
 */
export function textBoxes(content: PageContent): TextBox[] {
  const find = linkFinder(content.links);
  const cells = findRuledTables(content).flatMap((table) => table.cells.map(({ lines }) => lines.flat()));
  const inCells = new Set(cells.flat());
  const boxes = [content.words.filter((word) => !inCells.has(word)), ...cells].flatMap((words) =>
    [0, 90, 180, 270].flatMap((angle) => {
      const lines = readingLines(words.filter((word) => word.angle === angle));
      return joined(lines.flatMap((line) => pieces(line, angle, find))).map((block) => boxOf(block, angle));
    }),
  );
  return [...boxes, ...content.words.filter(({ angle }) => angle % 90 !== 0).map((word) => slantedBox(word, find))];
}

type FindLink = (word: Word) => BoxRun['link'];

function linkFinder(links: readonly PlacedLink[]): FindLink {
  if (links.length === 0) return () => undefined;
  const few = links.slice(0, 2000);
  return ({ box }) => {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return few.find(({ box: area }) => x >= area.left && x <= area.right && y >= area.top && y <= area.bottom)?.link;
  };
}

/** Where a word begins and ends along its writing. */
function along({ box: { left, top, right, bottom } }: Word, angle: number): readonly [number, number] {
  switch (angle) {
    case 90:
      return [-bottom, -top];
    case 180:
      return [-right, -left];
    case 270:
      return [top, bottom];
    default:
      return [left, right];
  }
}

function pieces(line: readonly Word[], angle: number, find: FindLink): Piece[] {
  const found: Piece[] = [];
  const rtl = fromRight(line);
  for (let start = 0; start < line.length;) {
    let end = start + 1;
    while (
      end < line.length &&
      distance(line[end - 1]!, line[end]!, angle) <
        apartBy(line, start, end) * Math.max(line[end - 1]!.style.size, line[end]!.style.size)
    )
      end++;
    found.push(pieceOf(line.slice(start, end), angle, rtl, find));
    start = end;
  }
  return found;
}

/** How far the word at `end` may be from the one before it. */
function apartBy(line: readonly Word[], start: number, end: number): number {
  return start === 0 && end === 1 && MARK.test(line[0]!.text) ? MARK_APART : APART;
}

function distance(a: Word, b: Word, angle: number): number {
  const [[from, to], [next, last]] = [along(a, angle), along(b, angle)];
  return Math.max(next - to, from - last);
}

function pieceOf(words: readonly Word[], angle: number, rtl: boolean, find: FindLink): Piece {
  const largest = words.reduce((most, word) => (word.style.size > most.style.size ? word : most));
  const runs: (BoxRun & { text: string })[] = [];
  for (const [i, word] of words.entries()) {
    const blank = i > 0 && isParted(words[i - 1]!, word, rtl) ? ' ' : '';
    const text = `${word.text}${word.divided ? '-' : ''}`;
    const link = find(word);
    const position = positionOf(word, largest);
    const last = runs.at(-1);
    if (last !== undefined && last.style === word.style && last.link === link && last.position === position)
      last.text += blank + text;
    else {
      if (last !== undefined) last.text += blank;
      runs.push({
        text,
        style: word.style,
        link,
        position,
        size: position === 'normal' ? word.style.size : largest.style.size,
      });
    }
  }
  const places = words.map((word) => along(word, angle));
  const across = angle === 180 || angle === 270 ? -largest.baseline : largest.baseline;
  return {
    from: Math.min(...places.map(([from]) => from)),
    to: Math.max(...places.map(([, to]) => to)),
    base: across,
    size: largest.style.size,
    rtl,
    runs,
  };
}

function positionOf({ baseline, angle, style: { size } }: Word, { baseline: line, style }: Word): BoxRun['position'] {
  if (size > SMALLER * style.size) return 'normal';
  // Across grows downwards in upright text and in text that runs upwards.
  const raised = (line - baseline) * (angle === 180 || angle === 270 ? -1 : 1);
  if (raised > OFF_LINE * style.size) return 'superscript';
  return raised < (-OFF_LINE / 2) * style.size ? 'subscript' : 'normal';
}

/**
 * Puts pieces under each other into blocks; looked up by where they begin, end and have their middle, so that it stays
 * linear.
 */
function joined(all: readonly Piece[]): Piece[][] {
  const blocks: Piece[][] = [];
  const open = new Map<string, Piece[]>();
  // Positions are rounded to twice their tolerance, so that near ones fall into the same bucket or the next.
  const places = ({ from, to }: Piece): readonly (readonly [kind: string, stretch: number])[] => [
    ['l', stretchOf(from)],
    ['r', stretchOf(to)],
    ['c', stretchOf((from + to) / 2)],
  ];
  const near = (piece: Piece): Piece[][] =>
    places(piece).flatMap(([kind, stretch]) =>
      [-1, 0, 1].map((by) => open.get(`${kind}${stretch + by}`)).filter((block) => block !== undefined),
    );
  for (const piece of all.toSorted((a, b) => a.base - b.base)) {
    const block = near(piece).find((candidate) => goesOn(candidate, piece));
    if (block === undefined) blocks.push([piece]);
    else block.push(piece);
    const own = block ?? blocks.at(-1)!;
    for (const [kind, stretch] of places(piece)) open.set(`${kind}${stretch}`, own);
  }
  return blocks;
}

function stretchOf(at: number): number {
  return Math.round(at / (2 * EDGE));
}

function goesOn(block: readonly Piece[], piece: Piece): boolean {
  const last = block.at(-1)!;
  const step = piece.base - last.base;
  if (
    piece.rtl !== last.rtl ||
    Math.abs(piece.size - last.size) > 0.06 * last.size ||
    step < 0.8 * piece.size ||
    step > MAX_LEADING * piece.size
  )
    return false;
  if (block.length > 1 && Math.abs(step - (last.base - block.at(-2)!.base)) > EDGE) return false;
  return (
    alignmentOf([block[0]!, last, piece]) !== undefined &&
    Math.min(piece.to, last.to) - Math.max(piece.from, last.from) > 0
  );
}

/** Returns how the lines are aligned; undefined if they are not. */
function alignmentOf(lines: readonly Piece[]): TextBox['align'] | undefined {
  const even = (at: (piece: Piece) => number): boolean => {
    const first = at(lines[0]!);
    // Only the ends are looked at: those between were, when they came.
    return [lines.at(-1)!, lines.at(-2) ?? lines[0]!].every((line) => Math.abs(at(line) - first) <= EDGE);
  };
  const [left, right] = [even(({ from }) => from), even(({ to }) => to)];
  if (left && !(lines[0]!.rtl && right)) return 'left';
  if (right) return 'right';
  return even(({ from, to }) => (from + to) / 2) ? 'center' : undefined;
}

function boxOf(block: readonly Piece[], angle: number): TextBox {
  const [from, to] = [Math.min(...block.map((piece) => piece.from)), Math.max(...block.map((piece) => piece.to))];
  const first = block[0]!;
  const last = block.at(-1)!;
  const leading = block.length > 1 ? (last.base - first.base) / (block.length - 1) : LEADING * first.size;
  const [low, high] = [first.base - leading + DESCENT * first.size, last.base + DESCENT * last.size];
  const [width, height] = [to - from, high - low];
  const [middleAlong, middleAcross] = [(from + to) / 2, (low + high) / 2];
  const [x, y] =
    angle === 90
      ? [middleAcross, -middleAlong]
      : angle === 180
        ? [-middleAlong, -middleAcross]
        : angle === 270
          ? [-middleAcross, middleAlong]
          : [middleAlong, middleAcross];
  return {
    left: x - width / 2,
    top: y - height / 2,
    width,
    height,
    turn: (360 - angle) % 360,
    align: block.length > 1 ? (alignmentOf(block) ?? 'left') : first.rtl ? 'right' : 'left',
    rtl: first.rtl,
    leading,
    lines: block.map(({ runs }) => runs),
  };
}

/** A word that is neither level nor upright: the box that fills its upright one when it is turned. */
function slantedBox(word: Word, find: FindLink): TextBox {
  const {
    box,
    angle,
    style: { size },
  } = word;
  const height = LEADING * size;
  const [c, s] = [Math.abs(Math.cos((angle * Math.PI) / 180)), Math.abs(Math.sin((angle * Math.PI) / 180))];
  const width = Math.max(
    size / 2,
    c > s ? (box.right - box.left - height * s) / c : (box.bottom - box.top - height * c) / s,
  );
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return {
    left: x - width / 2,
    top: y - height / 2,
    width,
    height,
    turn: (360 - angle) % 360,
    align: 'left',
    rtl: fromRight([word]),
    leading: height,
    lines: [[{ text: word.text, style: word.style, link: find(word), position: 'normal', size }]],
  };
}
