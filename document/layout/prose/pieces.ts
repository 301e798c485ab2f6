import type { Box } from '../model.js';
import type { Word } from '../page-content.js';
import { around } from './line.js';

/** Words without a wide gap between them, on one base line: what is surely of one column. */
export interface Piece {
  readonly words: Word[];
  box: Box;
  /** Of its largest words. */
  baseline: number;
  size: number;
  letters: number;
}

/** A gap of so many times the size may lie between columns. */
const GAP = 0.95;
/** Base lines so near (in sizes) are one. */
const LEVEL = 0.35;

/**
 * Joins words to pieces: first as they follow one another in the reading, then those that stand side by side (raised
 * figures, words written in another order).
 */
export function piecesOf(words: readonly Word[]): Piece[] {
  const pieces: Piece[] = [];
  let last: Piece | undefined;
  for (const word of words) {
    if (last !== undefined && continues(last, word)) add(last, word);
    else
      pieces.push(
        (last = {
          words: [word],
          box: word.box,
          baseline: word.baseline,
          size: word.style.size,
          letters: word.text.length,
        }),
      );
  }
  return joinBeside(pieces);
}

function add(piece: Piece, word: Word): void {
  piece.words.push(word);
  piece.box = around([piece.box, word.box]);
  if (word.style.size > piece.size) [piece.size, piece.baseline] = [word.style.size, word.baseline];
  piece.letters += word.text.length;
}

function continues(piece: Piece, word: Word): boolean {
  const size = Math.max(piece.size, word.style.size) || 1;
  const gap = Math.max(word.box.left - piece.box.right, piece.box.left - word.box.right);
  return gap < GAP * size && gap > -2 * size && sameLine(piece, word.baseline, word.box, word.style.size);
}

/** True for text on the same base line, or small text raised or lowered beside it. */
function sameLine(
  piece: { readonly baseline: number; readonly size: number; readonly box: Box },
  baseline: number,
  box: Box,
  size: number,
): boolean {
  const [small, large] = [Math.min(piece.size, size), Math.max(piece.size, size) || 1];
  const apart = Math.abs(piece.baseline - baseline);
  if (apart <= LEVEL * small) return true;
  if (small > 0.85 * large) return false;
  const overlap = Math.min(piece.box.bottom, box.bottom) - Math.max(piece.box.top, box.top);
  return apart < 0.7 * large && overlap > 0.4 * Math.min(piece.box.bottom - piece.box.top, box.bottom - box.top);
}

/** Joins pieces that stand side by side without a wide gap. Each is compared with its neighbours to the right only. */
function joinBeside(pieces: Piece[]): Piece[] {
  const left = [...pieces].sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
  const gone = new Set<Piece>();
  const tallest = left.reduce((most, { box }) => Math.max(most, box.bottom - box.top), 0);
  for (let i = 0; i < left.length; i++) {
    const piece = left[i]!;
    if (gone.has(piece)) continue;
    // Limits the comparisons: readable text does not overlap more often.
    for (let j = i + 1; j < Math.min(left.length, i + 400); j++) {
      const other = left[j]!;
      if (other.box.top > piece.box.bottom + tallest) break;
      if (gone.has(other)) continue;
      const size = Math.max(piece.size, other.size) || 1;
      const gap = Math.max(other.box.left - piece.box.right, piece.box.left - other.box.right);
      // Spaces in the text separate words whatever their width; overlapping words are not joined.
      if (gap >= 0.6 * size || gap < -0.3 * size || !sameLine(piece, other.baseline, other.box, other.size)) continue;
      const [main, minor] = piece.letters >= other.letters || piece.size > other.size ? [piece, other] : [other, piece];
      main.words.push(...minor.words);
      main.box = around([main.box, minor.box]);
      if (minor.size > main.size) [main.size, main.baseline] = [minor.size, minor.baseline];
      main.letters += minor.letters;
      gone.add(minor);
      if (minor === piece) break;
      j = i;
    }
  }
  return pieces.filter((piece) => !gone.has(piece));
}
