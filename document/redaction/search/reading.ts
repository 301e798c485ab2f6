import { searchable } from './searchable.js';

/** A piece of text that cannot be cut: what one glyph stands for, or a gap. */
export interface TextPiece {
  readonly text: string;
  /** The glyph it comes from, as a number of the caller's; a gap comes from none. */
  readonly glyph?: number;
  /** True for a piece without text that goes where the one before it goes. */
  readonly joined?: boolean;
}

/**
 * Text as it is searched: words joined by one blank, lines by one line feed; and for each character the pieces it was
 * made of.
 */
export interface Reading {
  readonly text: string;
  /** Index of the first and of the last piece of each character. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const MARK = /^\p{M}/u;
/** White space that is no single blank or line feed already: of those there are hundreds on each page. */
const GAP = /\s{2,}|[^\S \n]/gu;
const CLUSTER = /(?:\P{M}\p{M}*|\p{M}+)$/u;

/** Joins pieces to a text. Letters and the marks that are painted by themselves become one character. */
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
 * The text that `readingOf` makes of letters one by one, without the way back: most texts hold nothing, and this is
 * quick.
 */
export function readingText(text: string): string {
  return searchable(text)
    .replace(GAP, (gap) => (/[\r\n]/.test(gap) ? '\n' : ' '))
    .trim();
}
