import { searchable } from './searchable.js';

/** An indivisible piece of text: the characters of one glyph, or a gap. */
export interface TextPiece {
  readonly text: string;
  /** Index of its glyph, as defined by the caller; a gap has none. */
  readonly glyph?: number;
  /** True for a piece without text that is removed together with the previous one. */
  readonly joined?: boolean;
}

/**
 * Searchable text: words joined by one blank, lines by one line feed; and for each character the pieces that it
 * consists of.
 */
export interface Reading {
  readonly text: string;
  /** Index of the first and of the last piece of each character. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const MARK = /^\p{M}/u;
/** White space other than a single blank or line feed, of which there are hundreds on each page. */
const GAP = /\s{2,}|[^\S \n]/gu;
const CLUSTER = /(?:\P{M}\p{M}*|\p{M}+)$/u;

/** Joins pieces to a text. Letters and separately painted marks become one character. */
export function readingOf(pieces: readonly TextPiece[]): Reading {
  let text = '';
  const first: number[] = [];
  const last: number[] = [];
  let gap = '' as '' | ' ' | '\n';
  let gapFrom = 0;
  const put = (letters: string, from: number, to: number): void => {
    text += letters;
    for (let i = 0; i < letters.length; i++) {
      first.push(from);
      last.push(to);
    }
  };
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    if (piece.text === '') {
      if (piece.joined === true && gap === '' && last.length > 0) last[last.length - 1] = i;
      continue;
    }
    // Most pieces are one plain letter.
    if (piece.text.length === 1 && piece.text > ' ' && piece.text < '\u007f') {
      if (gap !== '' && text !== '') put(gap, gapFrom, i);
      gap = '';
      text += piece.text;
      first.push(i);
      last.push(i);
      continue;
    }
    for (const part of searchable(piece.text).split(/(\s+)/u)) {
      if (part === '') continue;
      if (part.trim() === '') {
        if (gap === '') gapFrom = i;
        gap = part.includes('\n') || part.includes('\r') || gap === '\n' ? '\n' : ' ';
        continue;
      }
      if (gap !== '' && text !== '') put(gap, gapFrom, i);
      else if (gap === '' && text !== '' && MARK.test(part)) {
        const cluster = CLUSTER.exec(text.slice(-16))?.[0] ?? '';
        const from = first[text.length - cluster.length] ?? i;
        text = text.slice(0, text.length - cluster.length);
        first.length = text.length;
        last.length = text.length;
        put((cluster + part).normalize('NFC'), from, i);
        continue;
      }
      gap = '';
      put(part, i, i);
    }
  }
  return { text, first, last };
}

/**
 * Returns the text that `readingOf` creates from single letters, without positions: most texts contain no match, and
 * this is fast.
 */
export function readingText(text: string): string {
  return searchable(text)
    .replace(GAP, (gap) => (/[\r\n]/.test(gap) ? '\n' : ' '))
    .trim();
}
