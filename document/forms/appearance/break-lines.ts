import type { FieldFont } from './field-fonts.js';
import { segmentsOf } from './text-segments.js';

/** A piece of text that a line break may precede or follow. Widths are in thousandths of the font size. */
interface Piece {
  readonly text: string;
  readonly width: number;
  /** Width without trailing blanks, which may extend over the edge. */
  readonly solid: number;
  /** True for the first piece of a word that is too long for a line; it starts a new line. */
  readonly fresh?: boolean;
  /** True if the piece continues the word of the previous piece. */
  readonly goesOn?: boolean;
}

/** Characters. A longer word is wider than any field, and slow to shape as a whole: it is measured in parts. */
const LONGEST_WORD = 500;

/** Letters of scripts without blanks between words, where a line may break anyway. */
const unspaced = new RegExp(
  ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map((script) => `\\p{Script=${script}}`).join('|'),
  'u',
);
const words = new Intl.Segmenter('en', { granularity: 'word' });
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text that is measured once and can be broken into lines for any number of widths. */
export interface MeasuredText {
  /**
   * Returns the lines for a width in thousandths of the font size: the first `most` of them, or slightly more. Words
   * that are too wide are broken.
   */
  lines(width: number, most?: number): string[];
  /** Width of the widest unbroken line, in thousandths of the font size. */
  readonly widest: number;
}

/** Measures a text, which may contain line breaks. */
export async function measureText(text: string, font: FieldFont): Promise<MeasuredText> {
  const known = new Map<string, number>();
  const widthOf = async (part: string): Promise<number> => {
    const width = known.get(part) ?? (part === '' ? 0 : (await font.line(part)).width);
    known.set(part, width);
    return width;
  };
  const pieceOf = async (part: string, goesOn = false): Promise<Piece> => ({
    text: part,
    width: await widthOf(part),
    solid: await widthOf(part.trimEnd()),
    ...(goesOn ? { goesOn } : {}),
  });
  const paragraphs: { readonly pieces: readonly Piece[]; readonly letters: ReadonlyMap<string, readonly Piece[]> }[] =
    [];
  for (const paragraph of text.split(/\r\n|[\r\n\u2028\u2029]/)) {
    const pieces: Piece[] = [];
    const broken = new Map<string, Piece[]>();
    for (const { text: part, goesOn } of breakable(paragraph).flatMap(inParts)) {
      pieces.push(await pieceOf(part, goesOn));
      if (broken.has(part)) continue;
      const single: Piece[] = [];
      for (const { segment } of segmentsOf(letters, part)) single.push(await pieceOf(segment));
      broken.set(part, single);
    }
    paragraphs.push({ pieces, letters: broken });
  }
  return {
    widest: Math.max(0, ...paragraphs.map(({ pieces }) => pieces.reduce((sum, { width }) => sum + width, 0))),
    lines: (width, most = Infinity) => {
      const lines: string[] = [];
      for (const { pieces, letters: single } of paragraphs) {
        if (lines.length >= most) break;
        lines.push(...fill(fitting(pieces, single, width), width, most - lines.length));
      }
      return lines;
    },
  };
}

/** Yields the pieces; words that fit on no line are split into letters. */
function* fitting(
  pieces: readonly Piece[],
  single: ReadonlyMap<string, readonly Piece[]>,
  width: number,
): Generator<Piece> {
  for (const [i, piece] of pieces.entries()) {
    // A word that is measured in parts is also broken as one word.
    const broken = piece.solid > width || piece.goesOn === true || pieces[i + 1]?.goesOn === true;
    if (!broken) yield piece;
    else
      for (const [n, letter] of (single.get(piece.text) ?? [piece]).entries())
        yield { ...letter, fresh: n === 0 && piece.goesOn !== true };
  }
}

/** Fills lines greedily, with at least one piece each. Stops soon after `most` lines. */
function fill(pieces: Iterable<Piece>, maxWidth: number, most: number): string[] {
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const piece of pieces) {
    if (lines.length >= most) return lines;
    if (line !== '' && (width + piece.solid > maxWidth || piece.fresh === true)) {
      lines.push(line.trimEnd());
      [line, width] = ['', 0];
    }
    line += piece.text;
    width += piece.width;
  }
  return [...lines, line.trimEnd()];
}

/**
 * Splits a paragraph into words with the blanks and punctuation that follow them; scripts without blanks are split at
 * word boundaries.
 */
function breakable(paragraph: string): string[] {
  const pieces: string[] = [];
  for (const part of paragraph.match(/\s*\S+\s*|\s+/gu) ?? []) {
    if (!unspaced.test(part)) {
      pieces.push(part);
      continue;
    }
    let current = '';
    for (const { segment, isWordLike } of segmentsOf(words, part)) {
      if (current !== '' && isWordLike === true) {
        pieces.push(current);
        current = '';
      }
      current += segment;
    }
    if (current !== '') pieces.push(current);
  }
  return pieces;
}

/** Splits a long piece into parts that are quick to shape. */
function inParts(piece: string): { readonly text: string; readonly goesOn: boolean }[] {
  if (piece.length <= LONGEST_WORD) return [{ text: piece, goesOn: false }];
  const parts: string[] = [];
  let current = '';
  for (const { segment } of segmentsOf(letters, piece)) {
    if (current !== '' && current.length + segment.length > LONGEST_WORD) {
      parts.push(current);
      current = '';
    }
    current += segment;
  }
  return [...parts, current].map((text, i) => ({ text, goesOn: i > 0 }));
}
