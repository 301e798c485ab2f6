import type { FieldFont } from './field-fonts.js';
import { segmentsOf } from './text-segments.js';

/** A piece of text between which lines may be broken. Widths are thousandths of the font size. */
interface Piece {
  readonly text: string;
  readonly width: number;
  /** Width without the blanks at its end, which may hang over the edge. */
  readonly solid: number;
  /** It begins a word that is broken, which gets a line of its own. */
  readonly fresh?: boolean;
  /** It goes on with the word of the piece before. */
  readonly goesOn?: boolean;
}

/** A longer word is wider than any field, and shapers take long for it in one: it is measured in parts. */
const LONGEST_WORD = 500;

/** Letters between which a line may be broken though no blank is there. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A text measured once, to be broken for as many widths as it takes. */
export interface MeasuredText {
  /**
   * Gives the lines for a width in thousandths of the font size, the first `most` of them or somewhat more; words wider
   * than that are broken.
   */
  lines(width: number, most?: number): string[];
  /** Width of the widest line as written, in thousandths of the font size. */
  readonly widest: number;
}

/** Measures a text of several lines. */
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

/** The pieces, those of words that no line holds letter by letter. */
function* fitting(
  pieces: readonly Piece[],
  single: ReadonlyMap<string, readonly Piece[]>,
  width: number,
): Generator<Piece> {
  for (const [i, piece] of pieces.entries()) {
    // A word in parts is broken as one.
    const broken = piece.solid > width || piece.goesOn === true || pieces[i + 1]?.goesOn === true;
    if (!broken) yield piece;
    else
      for (const [n, letter] of (single.get(piece.text) ?? [piece]).entries())
        yield { ...letter, fresh: n === 0 && piece.goesOn !== true };
  }
}

/** Greedy: each line takes what fits; one piece at least. Ends behind `most` lines. */
function fill(pieces: Iterable<Piece>, room: number, most: number): string[] {
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const piece of pieces) {
    if (lines.length >= most) return lines;
    if (line !== '' && (width + piece.solid > room || piece.fresh === true)) {
      lines.push(line.trimEnd());
      [line, width] = ['', 0];
    }
    line += piece.text;
    width += piece.width;
  }
  return [...lines, line.trimEnd()];
}

/** Pieces with the blanks and marks that follow them; scripts without blanks are cut at their words. */
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

/** A piece in parts that a shaper is quick with. */
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
