import type { PaintedText } from './events.js';
import { applyTo } from './geometry.js';
import type { Matrix } from './operands.js';

/**
 * A gap beyond this part of the font size is a blank, as text extraction has it. A little more than 0.15: gaps of just
 * that size are frequent, and the sums that lead to them differ in their last digits.
 */
export const WORD_GAP = 0.150_001;
/** Text whose distance from the line exceeds this multiple of its size is on another line. */
export const LINE_GAP = 0.5;

/** A place on a run's line, on the page. */
export function onLine({ matrix, font }: Pick<PaintedText, 'matrix' | 'font'>, at: number): readonly [number, number] {
  return font.vertical ? applyTo(matrix, 0, at) : applyTo(matrix, at, 0);
}

/**
 * Returns the separator between the pen position and the next glyph, in that glyph's text space (`back` maps from the
 * page to it).
 */
export function gapText(
  back: Matrix,
  pen: readonly [number, number],
  [x, y]: readonly [number, number],
  size: number,
  vertical: boolean,
): '' | ' ' | '\n' {
  const [px, py] = applyTo(back, pen[0], pen[1]);
  const [gx, gy] = applyTo(back, x, y);
  const [along, across] = vertical ? [(py - gy) / size, (gx - px) / size] : [(gx - px) / size, (gy - py) / size];
  if (Math.abs(across) > LINE_GAP || along < -LINE_GAP) return '\n';
  return along > WORD_GAP ? ' ' : '';
}

/** True for text of nothing but white space, of which there is some. */
export function isBlank(text: string): boolean {
  return text === ' ' || (text !== '' && text.trim() === '');
}
