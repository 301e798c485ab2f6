import type { Scratch } from '../scratch.js';
import { baseDirections, type SeenLine } from './base-direction.js';
import { isJoined, isRightToLeftCode } from './kinds.js';
import { logicalOrder } from './logical-order.js';

/** A letter of a line in logical order: its index in the text page, and its text where that is another one. */
export interface BidiLetter {
  /** Undefined for a space. */
  readonly index: number | undefined;
  readonly text: string;
}

/** A part of a line, up to a wide gap, in logical order. */
export interface BidiPart {
  /** True for a part of a right-to-left paragraph. */
  readonly base: { readonly rtl: boolean };
  readonly letters: readonly BidiLetter[];
}

/** Letters of a text page, from one index to before another, that are on one line with right-to-left letters. */
export interface BidiLine {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly BidiPart[];
}

/** PDFium's marks of a hyphen at a line end. */
const HYPHENS: ReadonlySet<number> = new Set([2, 0xfffe]);

interface Letter {
  readonly index: number;
  readonly text: string;
  /** Along the writing. */
  readonly from: number;
  readonly to: number;
  /** Base line, growing from line to line. */
  readonly across: number;
  readonly size: number;
  readonly turn: number;
  readonly object: number;
  readonly origin: number;
}

/** Letters that stay together: a letter with its marks, or what one glyph or cluster is written for. */
interface Unit {
  letters: Letter[];
  from: number;
  to: number;
}

/** Base lines so near (in sizes) are one; behind a line end the letters must be near along the line too. */
const LEVEL = 0.5;
const NEAR = 2;
/** Raised letters are at least so large, beside the others. */
const SMALLEST = 0.3;
/** A gap of more than so many sizes parts a line, one of the second is a space: more on lines that have spaces. */
const WIDE = 2;
const SPACE = { written: 0.35, unwritten: 0.18 };
/** The same letter so near (in sizes) is drawn twice. */
const TWICE = 0.12;
const LAM = '\u0644';
const ALEF = /[\u0622\u0623\u0625\u0627\u0671]/;
/** No line has more letters; the others are a line of their own. */
const MOST_LETTERS = 1000;

/**
 * Lines of a text page with right-to-left letters, in logical order. Text at angles other than quarter turns is left.
 */
export function bidiLines(scratch: Scratch, text: number, count: number, prefers?: boolean): BidiLine[] {
  const groups = groupsOf(scratch, text, count);
  const parts = groups.flatMap((letters) => partsOf(letters).map((part) => ({ ...part, group: letters })));
  const directions = baseDirections(parts, prefers);
  const lines = new Map<readonly Letter[], BidiPart[]>();
  for (const [i, part] of parts.entries()) {
    if (!part.group.some(isRight)) continue;
    const of = lines.get(part.group) ?? [];
    lines.set(part.group, of);
    const rtl = directions[i] === true;
    of.push({ base: { rtl }, letters: lettersOf(part.units, part.seen, rtl) });
  }
  return [...lines].map(([group, own]) => ({ from: group[0]!.index, to: group.at(-1)!.index + 1, parts: own }));
}

const isRight = ({ text }: Letter): boolean => isRightToLeftCode(text.codePointAt(0) ?? 0);

/** Letters that follow one another on one line, as PDFium reads them. */
function groupsOf(scratch: Scratch, text: number, count: number): Letter[][] {
  const groups: Letter[][] = [];
  let open: Letter[] = [];
  let broken = false;
  const close = (): void => {
    if (open.length > 0) groups.push(open);
    open = [];
  };
  for (let index = 0; index < count; index++) {
    const letter = letterAt(scratch, text, index);
    if (letter === 'lineEnd') broken = true;
    else if (letter === 'slanted') close();
    else if (letter !== undefined) {
      if (open.length > 0 && !isOnLine(open, letter, broken)) close();
      open.push(letter);
      broken = false;
    }
  }
  close();
  return groups;
}

function letterAt(scratch: Scratch, text: number, index: number): Letter | 'lineEnd' | 'slanted' | undefined {
  const { wasmExports: engine } = scratch.pdfium.pdfium;
  const code = engine.FPDFText_GetUnicode(text, index);
  if (code === 10 || code === 13) return 'lineEnd';
  const object = engine.FPDFText_GetTextObject(text, index);
  // Spaces that PDFium has put in are between letters in its order, not in that of the line.
  if (object === 0 || !engine.FPDFText_GetLooseCharBox(text, index, scratch.at)) return undefined;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = scratch.floats;
  engine.FPDFText_GetCharOrigin(text, index, scratch.at, scratch.at + 8);
  const [ox = 0, oy = 0] = scratch.doubles;
  const quarters = (engine.FPDFText_GetCharAngle(text, index) / Math.PI) * 2;
  const turn = ((Math.round(quarters) % 4) + 4) % 4;
  if (Math.abs(quarters - Math.round(quarters)) > 0.02) return 'slanted';
  const along = [(x: number) => x, (_: number, y: number) => y, (x: number) => -x, (_: number, y: number) => -y][turn]!;
  const across = [(_: number, y: number) => -y, (x: number) => x, (_: number, y: number) => y, (x: number) => -x][
    turn
  ]!;
  const [a, b] = [along(x1, y1), along(x2, y2)];
  return {
    index,
    text: HYPHENS.has(code) ? '-' : code > 0x10ffff ? '' : String.fromCodePoint(code),
    from: Math.min(a, b),
    to: Math.max(a, b),
    across: across(ox, oy),
    size: sizeOf(scratch, text, index),
    turn,
    object,
    origin: along(ox, oy),
  };
}

function sizeOf(scratch: Scratch, text: number, index: number): number {
  const { pdfium } = scratch;
  const size = pdfium.FPDFText_GetFontSize(text, index);
  if (!pdfium.FPDFText_GetMatrix(text, index, scratch.at)) return Math.abs(size);
  const [, , c = 0, d = 1] = scratch.floats;
  return Math.abs(size) * Math.hypot(c, d);
}

function isOnLine(line: readonly Letter[], letter: Letter, broken: boolean): boolean {
  const before = line.at(-1)!;
  const size = Math.max(before.size, letter.size) || 1;
  if (line.length >= MOST_LETTERS || Math.min(before.size, letter.size) < SMALLEST * size) return false;
  if (before.turn !== letter.turn || Math.abs(before.across - letter.across) > LEVEL * size) return false;
  if (!broken) return true;
  return line.some((one) => Math.max(letter.from - one.to, one.from - letter.to) < NEAR * size);
}

type Part = SeenLine & { readonly units: readonly (Unit | undefined)[] };

/** Parts of a line in the order of the file, each as it is seen; a space is a unit that is undefined. */
function partsOf(letters: readonly Letter[]): Part[] {
  const mixed = letters.some(isRight);
  const size = Math.max(...letters.map((letter) => letter.size)) || 1;
  const place = (units: readonly (Unit | undefined)[]): Part => {
    const own = units.filter((unit) => unit !== undefined);
    return {
      units,
      seen: units.map((unit) => unit?.letters.map(({ text }) => text).join('') ?? ' '),
      from: Math.min(...own.map(({ from }) => from)),
      to: Math.max(...own.map(({ to }) => to)),
      across: letters[0]!.across,
      size,
      mixed: own.some((unit) => unit.letters.some(isRight)),
    };
  };
  if (!mixed) return [place(letters.map((letter) => ({ ...letter, letters: [letter] })))];
  const spaces = letters.filter(({ text }) => text.trim() === '');
  const units = unitsOf(
    letters.filter(({ text }) => text.trim() !== ''),
    size,
  ).sort((a, b) => a.from - b.from || a.to - b.to);
  const space = size * (spaces.length > 0 ? SPACE.written : SPACE.unwritten);
  const parts: (Unit | undefined)[][] = [];
  let end = -Infinity;
  for (const unit of units) {
    const gap = unit.from - end;
    const blank = spaces.some(
      ({ from, to }) => (from + to) / 2 > end - 0.1 * size && (from + to) / 2 < unit.from + 0.1 * size,
    );
    if (gap > WIDE * size) parts.push([unit]);
    else parts.at(-1)!.push(...(blank || gap > space ? [undefined] : []), unit);
    end = Math.max(end, unit.to);
  }
  const first = (part: readonly (Unit | undefined)[]): number =>
    Math.min(...part.flatMap((unit) => unit?.letters.map(({ index }) => index) ?? []));
  return parts.sort((a, b) => first(a) - first(b)).map(place);
}

/** Joins marks to their letters, and letters of one glyph or cluster, which have one origin. */
function unitsOf(letters: readonly Letter[], size: number): Unit[] {
  const clusters: Unit[] = [];
  const step = TWICE * size;
  const seen = new Map<string, Letter>();
  const places = new Set<string>();
  for (const letter of letters) {
    const square = Math.floor(letter.from / step);
    const last = clusters.at(-1);
    const before = last?.letters.at(-1);
    const ofCluster =
      before !== undefined && before.object === letter.object && Math.abs(before.origin - letter.origin) < 0.01 * size;
    const isTwice = [square - 1, square, square + 1].some((place) => {
      const one = seen.get(`${place} ${letter.text}`);
      return (
        one !== undefined &&
        one.object !== letter.object &&
        Math.abs(one.from - letter.from) < step &&
        one.to > one.from
      );
    });
    if (isTwice) continue;
    seen.set(`${square} ${letter.text}`, letter);
    // Where a cluster has text of its own, PDFium knows what it paints, but not how wide it is.
    const from = Math.min(letter.from, Math.max(letter.origin, letter.from - size));
    if (ofCluster) {
      last!.letters.push(letter);
      if (last!.to > last!.from) {
        last!.from = Math.min(last!.from, from);
        last!.to = Math.max(last!.to, letter.to);
      }
    } else {
      const place = `${letter.from} ${letter.to}`;
      // A text that replaces several glyphs is given the place of one that is known already.
      const isElsewhere = last !== undefined && letter.to > letter.from && places.has(place) && !isJoined(letter.text);
      if (!isJoined(letter.text)) places.add(place);
      clusters.push(
        isElsewhere ? { letters: [letter], from: last.to, to: last.to } : { letters: [letter], from, to: letter.to },
      );
    }
  }
  for (const unit of clusters) if (unit.letters.length > 1) sortCluster(unit);
  const isMark = ({ letters: own }: Unit): boolean => own.every(({ text }) => isJoined(text));
  const units = clusters.filter((unit) => !isMark(unit));
  if (units.length === 0) return clusters;
  for (const marks of clusters.filter(isMark)) joinMarks(units, marks);
  return units;
}

/**
 * PDFium divides the place of a cluster among its letters as they run, or the other way: a mark is never the first. The
 * letters of a ligature all have its place, and come in reverse, unless PDFium has divided it itself (lam with alef).
 */
function sortCluster(unit: Unit): void {
  const rtl = unit.letters.some(isRight);
  const [first, second] = unit.letters;
  if (rtl && first!.from === unit.letters.at(-1)!.from && !(first!.text === LAM && ALEF.test(second!.text)))
    unit.letters.reverse();
  unit.letters.sort((a, b) => (rtl ? b.from - a.from : a.from - b.from));
  if (isJoined(unit.letters[0]!.text)) unit.letters.reverse();
}

/** Marks are of the letter that they are over. */
function joinMarks(units: readonly Unit[], marks: Unit): void {
  const middle = (marks.from + marks.to) / 2;
  let best = units[0]!;
  let least = Infinity;
  for (const unit of units) {
    const far = Math.max(unit.from - middle, middle - unit.to, 0) * 1000 + Math.abs((unit.from + unit.to) / 2 - middle);
    if (far < least) [best, least] = [unit, far];
  }
  best.letters.push(...marks.letters);
}

function lettersOf(units: readonly (Unit | undefined)[], seen: readonly string[], rtl: boolean): BidiLetter[] {
  return logicalOrder(seen, rtl).flatMap(({ at, text }): BidiLetter[] => {
    const unit = units[at];
    if (unit === undefined) return [{ index: undefined, text: ' ' }];
    const [first, ...others] = unit.letters;
    if (others.length === 0) return [{ index: first!.index, text }];
    return unit.letters.map((letter) => ({ index: letter.index, text: letter.text }));
  });
}
