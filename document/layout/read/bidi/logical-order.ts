import { mirroredBracket, visualBrackets } from './brackets.js';
import { type Kind, kindOf } from './kinds.js';

/** A letter of a line: its place in the line as it is seen, and its text in logical order. */
export interface LogicalLetter {
  readonly at: number;
  readonly text: string;
}

/**
 * Returns the letters of a line in logical order, which are given as they are seen, from left to right: the Unicode
 * Bidirectional Algorithm (UAX 9) in reverse. Several logical orders may look the same; the one that needs no marks of
 * direction is chosen, and numbers beside both directions stay with the direction of the paragraph. Numbers keep their
 * order, brackets between right-to-left letters are turned.
 */
export function logicalOrder(seen: readonly string[], rtl: boolean): LogicalLetter[] {
  const shown = visualBrackets(seen);
  const kinds = withNumbers(seen.map(kindOf), rtl);
  const levels = rtl ? levelsFromRight(kinds, shown) : levelsFromLeft(kinds, shown);
  const letters = levels.map((level, at) => ({ at, level }));
  reverseRuns(letters, 1);
  reverseRuns(letters, 2);
  return letters.map(({ at, level }) => ({
    at,
    text: level === 1 ? mirroredBracket(shown[at]!.text) : shown[at]!.text,
  }));
}

/** Reverses each run of letters of at least this level (UAX 9, rule L2). */
function reverseRuns(letters: { readonly level: number }[], least: number): void {
  for (let from = 0; from < letters.length;) {
    let to = from;
    while (to < letters.length && letters[to]!.level >= least) to++;
    if (to > from) letters.splice(from, to - from, ...letters.slice(from, to).reverse());
    from = Math.max(to, from + 1);
  }
}

/** Letters by what they do to the direction; signs of numbers have become numbers, or neutral (W2 to W6). */
type Resolved = 'left' | 'right' | 'number' | 'arabicNumber' | 'neutral';

function withNumbers(kinds: readonly Kind[], rtl: boolean): Resolved[] {
  const out = kinds.map((kind): Resolved => {
    if (kind === 'left') return 'left';
    if (kind === 'hebrew' || kind === 'arabic') return 'right';
    if (kind === 'arabicDigit') return 'arabicNumber';
    return kind === 'digit' ? 'number' : 'neutral';
  });
  for (const [at, kind] of kinds.entries()) {
    const [before, after] = [kinds[at - 1], kinds[at + 1]];
    const digits = before === after && (before === 'digit' || before === 'arabicDigit');
    if (digits && kind === 'separator') out[at] = before === 'digit' ? 'number' : 'arabicNumber';
    if (digits && kind === 'sign' && before === 'digit' && !followsArabic(kinds, at, rtl)) out[at] = 'number';
  }
  for (let from = 0; from < kinds.length; from++) {
    if (kinds[from] !== 'terminator') continue;
    let to = from;
    while (kinds[to + 1] === 'terminator') to++;
    const touches = kinds[from - 1] === 'digit' || kinds[to + 1] === 'digit';
    if (touches && !followsArabic(kinds, from, rtl)) out.fill('number', from, to + 1);
    from = to;
  }
  return out;
}

/** True where the last letter before it, as the line is read, is Arabic: European digits then count as Arabic (W2). */
function followsArabic(kinds: readonly Kind[], at: number, rtl: boolean): boolean {
  const isLetter = (kind: Kind): boolean => kind === 'left' || kind === 'hebrew' || kind === 'arabic';
  const before = kinds.slice(0, at).findLast(isLetter);
  const after = kinds.slice(at + 1).find(isLetter);
  return after === 'arabic' && (rtl || before === 'arabic');
}

type Shown = ReturnType<typeof visualBrackets>;

/** Levels of a line of a left-to-right paragraph: from the first to the last letter of a right-to-left part 1. */
function levelsFromLeft(kinds: readonly Resolved[], shown: Shown): number[] {
  const levels = kinds.map(() => 0);
  const inside = partsOf(kinds, 'right');
  for (const [at, { partner }] of shown.entries()) {
    if (partner === undefined || partner < at || holds(kinds, at, partner, 'left')) continue;
    if (holds(kinds, at, partner, 'right') && nearest(kinds, partner, 1) === 'right') inside.push([at, partner]);
  }
  for (const [from, to] of inside) levels.fill(1, from, to + 1);
  for (const [at, kind] of kinds.entries()) if (isNumber(kind) && levels[at] === 1) levels[at] = 2;
  // A bracket whose partner is outside is outside too (N0).
  for (const [at, { partner }] of shown.entries()) if (partner !== undefined && levels[partner] === 0) levels[at] = 0;
  joinParts(kinds, levels, shown);
  // What stands between a part and other text is not of it (N2).
  const isEdge = (at: number): boolean => kinds[at] === 'neutral' && shown[at]!.partner === undefined;
  for (let at = 1; at < levels.length; at++) if (levels[at - 1] === 0 && isEdge(at)) levels[at] = 0;
  for (let at = levels.length - 2; at >= 0; at--) if (levels[at + 1] === 0 && isEdge(at)) levels[at] = 0;
  return levels;
}

/** What lies between two right-to-left parts without left-to-right letters is of them. */
function joinParts(kinds: readonly Resolved[], levels: number[], shown: Shown): void {
  let last = -1;
  for (let at = 0; at < kinds.length; at++) {
    const isApart = shown[at]!.partner !== undefined && levels[at] === 0;
    if (kinds[at] === 'left' || isApart) last = -1;
    if (levels[at] === 0) continue;
    if (last >= 0) for (let i = last + 1; i < at; i++) if (levels[i] === 0) levels[i] = isNumber(kinds[i]!) ? 2 : 1;
    last = at;
  }
}

/** Levels of a line of a right-to-left paragraph: left-to-right parts and numbers 2, all else 1. */
function levelsFromRight(kinds: readonly Resolved[], shown: Shown): number[] {
  const levels = kinds.map((kind) => (isNumber(kind) ? 2 : 1));
  for (const [from, last] of partsOf(kinds, 'left')) {
    let [first, to] = [from, last];
    // Numbers beside it are of it (W7), but for those outside brackets; and brackets that it opens.
    const goesOn = (at: number): boolean =>
      kinds[at] === 'number' || (kinds[at] === 'neutral' && (shown[at]!.partner ?? at) >= at);
    for (let at = from - 1; goesOn(at) && shown[at]!.partner === undefined; at--)
      if (kinds[at] === 'number') first = at;
    for (let at = last + 1; goesOn(at); at++) if (kinds[at] === 'number') to = at;
    for (let at = first; at <= to; at++) to = Math.max(to, closing(kinds, shown, at));
    levels.fill(2, first, to + 1);
  }
  return levels;
}

/** The closing bracket of one that opens here without right-to-left letters inside; -1 where none does. */
function closing(kinds: readonly Resolved[], shown: Shown, at: number): number {
  const partner = shown[at]!.partner ?? -1;
  return partner > at && !holds(kinds, at, partner, 'right') ? partner : -1;
}

/** Parts from the first to the last letter of this direction without one of the other between them. */
function partsOf(kinds: readonly Resolved[], direction: 'left' | 'right'): [number, number][] {
  const parts: [number, number][] = [];
  let open: [number, number] | undefined;
  for (const [at, kind] of kinds.entries()) {
    // Arabic numbers belong to no left-to-right part.
    if (kind === direction || (kind === 'arabicNumber' && direction === 'right')) {
      if (open === undefined) parts.push((open = [at, at]));
      else open[1] = at;
    } else if (kind === 'left' || kind === 'right' || kind === 'arabicNumber') open = undefined;
  }
  return parts;
}

function holds(kinds: readonly Resolved[], from: number, to: number, direction: 'left' | 'right'): boolean {
  for (let at = from + 1; at < to; at++) if (kinds[at] === direction) return true;
  return false;
}

/** The direction of the nearest letter in this way. */
function nearest(kinds: readonly Resolved[], from: number, step: 1 | -1): Resolved | undefined {
  for (let at = from + step; at >= 0 && at < kinds.length; at += step)
    if (kinds[at] === 'left' || kinds[at] === 'right') return kinds[at];
  return undefined;
}

const isNumber = (kind: Resolved): boolean => kind === 'number' || kind === 'arabicNumber';
