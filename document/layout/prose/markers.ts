import type { ListStyle } from '../model.js';
import type { Line } from './line.js';

/** The marker of a list item. */
export interface Marker {
  /** As it is printed. */
  readonly text: string;
  readonly style: ListStyle;
  /** Its number; 0 for bullets. */
  readonly number: number;
  /** How many words of the line it takes. */
  readonly words: number;
  /** A second meaning of a letter that is also a roman number: "i", "v", "c". */
  readonly roman: number;
}

const BULLET =
  /^[\u2022\u25e6\u25aa\u25ab\u2023\u2043\u2219\u25cf\u25cb\u25a0\u25a1\u25fb\u25fc\u25fe\u2752\u2756\u2751\u27a2\u27a4\u2713\u2714\u2717\u25ba\u25b6\u25b8\u2666\u2605\u2606\u00b7\u00bb\u203a\u2794]$/u;
/** Signs that are bullets only with a gap behind them. */
const DASH = /^[-\u2010-\u2015*+o]$/u;
const ORDERED = /^[([]?(?:(\d{1,3})|([a-z])|([A-Z])|([ivxlcdm]{2,7})|([IVXLCDM]{2,7}))[.)\]]$/;
const JOINED = /^[([]?(?:\d{1,3}|[a-zA-Z])[.)\]](?=\p{L})/u;
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** The marker at the beginning of a line; undefined for a line without one or with nothing behind it. */
export function markerOf(line: Line): Marker | undefined {
  const [first, second] = line.words;
  if (first === undefined || second === undefined || JOINED.test(first.text)) return undefined;
  if (BULLET.test(first.text)) return { text: first.text, style: 'bullet', number: 0, words: 1, roman: 0 };
  const size = first.style.size || 1;
  const gap = line.direction === 'ltr' ? second.box.left - first.box.right : first.box.left - second.box.right;
  if (DASH.test(first.text) && gap > 0.2 * size && (first.text !== 'o' || gap > 0.6 * size))
    return { text: first.text, style: 'bullet', number: 0, words: 1, roman: 0 };
  const found = ORDERED.exec(first.text);
  if (found === null || gap < 0.1 * size) return undefined;
  const [, digits, small, large, lowerRoman, upperRoman] = found;
  const of = (style: ListStyle, number: number, roman = 0): Marker => ({
    text: first.text,
    style,
    number,
    words: 1,
    roman,
  });
  if (digits !== undefined) return of('decimal', Number(digits));
  if (small !== undefined) return of('lowerLetter', small.charCodeAt(0) - 96, ROMAN[small] ?? 0);
  if (large !== undefined) return of('upperLetter', large.charCodeAt(0) - 64, ROMAN[large.toLowerCase()] ?? 0);
  const number = romanNumber((lowerRoman ?? upperRoman ?? '').toLowerCase());
  return number === 0 ? undefined : of(lowerRoman !== undefined ? 'lowerRoman' : 'upperRoman', number, number);
}

/** True for a line that begins with a sign that is nothing but a bullet. */
export function isBullet(marker: Marker | undefined): boolean {
  return marker !== undefined && BULLET.test(marker.text);
}

/** The number that a roman numeral of small letters writes; 0 for letters that write none. */
function romanNumber(text: string): number {
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const [own, next] = [ROMAN[text[i]!] ?? 0, ROMAN[text[i + 1] ?? ''] ?? 0];
    number += own < next ? -own : own;
  }
  return /^m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$/.test(text) ? number : 0;
}
