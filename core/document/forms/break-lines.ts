import type { FieldFont } from './field-fonts.js';

/** A piece of text between which lines may be broken. Widths are thousandths of the font size. */
interface Piece {
  readonly text: string;
  readonly width: number;
  /** Width without the blanks at its end, which may hang over the edge. */
  readonly solid: number;
  /** It begins a word that is broken, which gets a line of its own. */
  readonly fresh?: boolean;
}

/** Letters between which a line may be broken though no blank is there. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A text measured once, to be broken for as many widths as it takes. */
export interface MeasuredText {
  /** Gives the lines for a width in thousandths of the font size; words wider than that are broken. */
  lines(width: number): string[];
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
  const pieceOf = async (part: string): Promise<Piece> => ({ text: part, width: await widthOf(part), solid: await widthOf(part.trimEnd()) });
  const paragraphs: { readonly pieces: readonly Piece[]; readonly letters: ReadonlyMap<string, readonly Piece[]> }[] = [];
  for (const paragraph of text.split(/\r\n|[\r\n\u2028\u2029]/)) {
    const pieces: Piece[] = [];
    const broken = new Map<string, Piece[]>();
    for (const part of breakable(paragraph)) {
      pieces.push(await pieceOf(part));
      if (broken.has(part)) continue;
      const single: Piece[] = [];
      for (const { segment, index } of letters.segment(part)) single.push({ ...(await pieceOf(segment)), fresh: index === 0 });
      broken.set(part, single);
    }
    paragraphs.push({ pieces, letters: broken });
  }
  return {
    widest: Math.max(0, ...paragraphs.map(({ pieces }) => pieces.reduce((sum, { width }) => sum + width, 0))),
    lines: (width) => paragraphs.flatMap(({ pieces, letters: single }) => fill(pieces.flatMap((piece) => (piece.solid > width ? (single.get(piece.text) ?? [piece]) : [piece])), width)),
  };
}

/** Greedy: each line takes what fits; one piece at least. */
function fill(pieces: readonly Piece[], room: number): string[] {
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const piece of pieces) {
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
    for (const { segment, isWordLike } of words.segment(part)) {
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
