import type { Word } from '../page-content.js';
import { directionOfWords, inLogicalOrder } from '../prose/logical-words.js';

/**
 * Words whose baselines differ by less than this multiple of the larger size are on one line; superscripts and
 * subscripts, which are that much smaller, may be further off.
 */
const SAME_LINE = 0.45;
const SMALLER = 0.85;
const RAISED = 0.62;
/** A gap of less than this part of the size parts no words, where the reading has no blank either. */
const NO_GAP = 0.15;
const SOME_GAP = 0.04;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g;
const LEFT_TO_RIGHT = /[\u0900-\u1fffA-Za-z\u00c0-\u058f\u2c00-\ud7ff]/g;

/** A word seen along its writing: `along` where it begins and ends, `across` growing from line to line. */
interface Seen {
  readonly word: Word;
  readonly start: number;
  readonly end: number;
  readonly across: number;
}

/**
 * Puts words that belong together into lines: lines in their order, the words of each as they are read, also from the
 * right. Words turned otherwise follow in lines of their own.
 */
export function readingLines(words: readonly Word[]): Word[][] {
  if (words.length < 2) return words.length === 0 ? [] : [[...words]];
  const byAngle = new Map<number, Seen[]>();
  for (const word of words) {
    const angle = quarter(word.angle);
    const seen = seenAlong(word, angle);
    const same = byAngle.get(angle);
    if (same === undefined) byAngle.set(angle, [seen]);
    else same.push(seen);
  }
  return [...byAngle.values()].sort((a, b) => b.length - a.length).flatMap((seen) => linesOf(seen));
}

/** The text of lines, each ended by a line feed; a word divided at the end of a line is joined again. */
export function linesText(lines: readonly (readonly Word[])[]): string {
  let text = '';
  let open = false;
  for (const [i, line] of lines.entries()) {
    if (i > 0 && !open) text += '\n';
    text += lineText(line);
    open = line.at(-1)?.divided === true && i < lines.length - 1;
    if (line.at(-1)?.divided === true && i === lines.length - 1) text += '-';
  }
  return text;
}

/** True for a line most of whose letters are written from the right. */
export function fromRight(words: readonly Word[]): boolean {
  if (words.some(({ bidi }) => bidi !== undefined)) return directionOfWords(words) === 'rtl';
  let balance = 0;
  for (const { text } of words)
    balance += (text.match(RIGHT_TO_LEFT)?.length ?? 0) - (text.match(LEFT_TO_RIGHT)?.length ?? 0);
  return balance > 0;
}

/** The quarter turn nearest to an angle. */
export function quarter(angle: number): 0 | 90 | 180 | 270 {
  return ((((Math.round(angle / 90) * 90) % 360) + 360) % 360) as 0 | 90 | 180 | 270;
}

function lineText(line: readonly Word[]): string {
  const rightward = fromRight(line);
  let text = '';
  for (const [i, word] of line.entries()) {
    const before = line[i - 1];
    if (before !== undefined && isParted(before, word, rightward)) text += ' ';
    text += word.text;
    if (word.divided && i < line.length - 1) text += '-';
  }
  return text;
}

/**
 * A space in the text without a gap is none (footnote marks); PDFium ends a line at every letter of rotated text, so
 * there only the gap counts.
 */
export function isParted(before: Word, word: Word, rightward: boolean): boolean {
  if (word.bidi !== undefined && word.bidi.part === before.bidi?.part) return word.spaced;
  const wide = gap(before, word, rightward) / Math.max(1, before.style.size, word.style.size);
  return wide > (word.spaced && word.angle === 0 ? SOME_GAP : NO_GAP);
}

function gap(before: Word, word: Word, rightward: boolean): number {
  const angle = quarter(word.angle);
  const [a, b] = [seenAlong(before, angle), seenAlong(word, angle)];
  return rightward ? Math.max(a.start - b.end, b.start - a.end) : b.start - a.end;
}

function seenAlong(word: Word, angle: number): Seen {
  const { left, top, right, bottom } = word.box;
  switch (angle) {
    case 90:
      return { word, start: -bottom, end: -top, across: word.baseline };
    case 180:
      return { word, start: -right, end: -left, across: -word.baseline };
    case 270:
      return { word, start: top, end: bottom, across: -word.baseline };
    default:
      return { word, start: left, end: right, across: word.baseline };
  }
}

function linesOf(seen: Seen[]): Word[][] {
  seen.sort((a, b) => a.across - b.across);
  const lines: Seen[][] = [];
  let size = 0;
  let base = 0;
  for (const one of seen) {
    const line = lines.at(-1);
    const own = one.word.style.size;
    if (
      line === undefined ||
      one.across - base >
        (Math.min(size, own) < SMALLER * Math.max(size, own) ? RAISED : SAME_LINE) * Math.max(size, own)
    ) {
      lines.push([one]);
      [size, base] = [own, one.across];
    } else {
      line.push(one);
      // The line's baseline is that of its largest words.
      if (own > size) [size, base] = [own, one.across];
    }
  }
  return lines.map(inReadingOrder);
}

/**
 * Along the line; one that is written from the right is read from there, except for words in a row that are not (ISO
 * 10646 bidi, on whole words).
 */
function inReadingOrder(line: Seen[]): Word[] {
  line.sort((a, b) => a.start - b.start);
  const words = line.map(({ word }) => word);
  if (words.some(({ bidi }) => bidi !== undefined)) return inLogicalOrder(words);
  if (!fromRight(words)) return words;
  words.reverse();
  for (let i = 0; i < words.length;) {
    let end = i;
    while (end < words.length && !fromRight([words[end]!])) end++;
    words.splice(i, end - i, ...words.slice(i, end).reverse());
    i = Math.max(end, i) + 1;
  }
  return words;
}
