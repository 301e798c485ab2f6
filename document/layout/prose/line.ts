import type { Box, Direction } from '../model.js';
import type { Word } from '../page-content.js';
import { directionOfWords, inLogicalOrder } from './logical-words.js';

/** Words on one line of one column, in reading order. */
export interface Line {
  readonly words: readonly Word[];
  readonly box: Box;
  readonly baseline: number;
  /** Size of most of its letters. */
  readonly size: number;
  readonly direction: Direction;
  /** True when all letters are. */
  readonly bold: boolean;
  readonly monospace: boolean;
  /** Letters in it. */
  readonly letters: number;
  /** True where a gap wider than between words is in it. */
  readonly gappy: boolean;
}

const RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const RIGHT_LETTERS = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const LETTERS = /\p{L}/gu;
const ASCII = /^[\u0000-\u024f]*$/;
/** A gap of so many times the size is wider than between words. */
const WIDE = 2.5;

/** True for text with letters of a script that is written from the right. */
export function hasRightLetters(text: string): boolean {
  return !ASCII.test(text) && RIGHT.test(text);
}

/** The direction in which most of the letters are written. */
export function directionOf(texts: Iterable<string>): Direction {
  let [right, all] = [0, 0];
  for (const text of texts) {
    all += ASCII.test(text) ? text.length : (text.match(LETTERS)?.length ?? 0);
    if (!ASCII.test(text)) right += text.match(RIGHT_LETTERS)?.length ?? 0;
  }
  return right * 2 > all ? 'rtl' : 'ltr';
}

/** The direction of the paragraph of lines: that of most of their letters' lines. */
export function directionOfLines(lines: readonly Line[]): Direction {
  let balance = 0;
  for (const { direction, letters } of lines) balance += direction === 'rtl' ? letters : -letters;
  return balance > 0 ? 'rtl' : 'ltr';
}

/** The box around boxes. */
export function around(boxes: Iterable<Box>): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    if (box.left < left) left = box.left;
    if (box.top < top) top = box.top;
    if (box.right > right) right = box.right;
    if (box.bottom > bottom) bottom = box.bottom;
  }
  return { left, top, right, bottom };
}

/**
 * Creates a line from words. `order` gives the position of a word in the page's own text order, where right-to-left
 * text is in logical order; other words stay as placed.
 */
export function lineOf(words: readonly Word[], order: ReadonlyMap<Word, number>): Line {
  const sorted = [...words];
  const hasRight = words.some(({ text }) => hasRightLetters(text));
  if (hasRight)
    sorted.splice(0, sorted.length, ...inLogicalOrder(sorted.sort((a, b) => order.get(a)! - order.get(b)!)));
  else sorted.sort((a, b) => a.box.left - b.box.left || order.get(a)! - order.get(b)!);
  const sizes = new Map<number, number>();
  let [letters, bold, mono] = [0, 0, 0];
  for (const { text, style } of sorted) {
    sizes.set(style.size, (sizes.get(style.size) ?? 0) + text.length);
    letters += text.length;
    if (style.bold) bold += text.length;
    if (style.monospace) mono += text.length;
  }
  let [size, most] = [0, 0];
  for (const [one, count] of sizes) if (count > most) [size, most] = [one, count];
  const main = sorted.find(({ style }) => style.size === size) ?? sorted[0]!;
  let gappy = false;
  for (let i = 1; i < sorted.length; i++) {
    const [a, b] = [sorted[i - 1]!.box, sorted[i]!.box];
    if (Math.max(b.left - a.right, a.left - b.right) > WIDE * size) gappy = true;
  }
  return {
    words: sorted,
    box: around(sorted.map(({ box }) => box)),
    baseline: main.baseline,
    size,
    direction: hasRight ? directionOfWords(sorted) : 'ltr',
    bold: bold === letters,
    monospace: mono === letters,
    letters,
    gappy,
  };
}

/** Text of a line in reading order, words separated by spaces. */
export function lineText(line: Line): string {
  const { words } = line;
  let text = '';
  for (let i = 0; i < words.length; i++) {
    if (i > 0 && isParted(words[i - 1]!, words[i]!)) text += ' ';
    text += words[i]!.text;
  }
  return text;
}

/** True where a blank stands between two words that follow one another on a line. */
export function isParted(before: Word, word: Word): boolean {
  // Places of letters in logical order are in no order.
  if (word.bidi !== undefined && word.bidi.part === before.bidi?.part) return word.spaced;
  if (word.spaced && !word.startsLine) return true;
  const gap = Math.max(word.box.left - before.box.right, before.box.left - word.box.right);
  const size = Math.min(before.style.size, word.style.size) || 1;
  return gap > size * (word.startsLine ? 0.12 : 0.3);
}
