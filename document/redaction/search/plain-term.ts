import { folded, unified } from './searchable.js';
import type { SearchTerm, TextMatch } from './search-types.js';

const wordCharacter = /[\p{L}\p{M}\p{N}\p{Pc}]/u;
/**
 * Letters of scripts that hyphenate and separate words by blanks: only these need a hyphen if a line ends within a
 * word.
 */
const hyphenated = new RegExp(
  ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic']
    .map((script) => `\\p{Script=${script}}`)
    .join('|'),
  'u',
);
/** Shorter words are not searched in spaced-out form. */
const LEAST_SPACED = 3;

/**
 * A text prepared for comparison: folded and without characters that may occur between letters, with the source
 * position of each character.
 */
interface Squeezed {
  readonly text: string;
  /** For each character, the start and end of its source in the text. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** A literal term; white space, hyphenation, letter spacing and, unless it matches case, case are ignored. */
export class PlainTerm {
  readonly #term: Squeezed;
  readonly #folded: string;
  readonly #loose: RegExp;
  readonly #wholeWord: boolean;
  /** The letters in their own case, if that matters. */
  readonly #letters: string | undefined;

  constructor(
    private readonly number: number,
    { text, wholeWord = false, matchCase = false }: SearchTerm,
  ) {
    this.#wholeWord = wholeWord;
    this.#letters = matchCase ? lettersOf(text) : undefined;
    this.#folded = folded(text.trim());
    // A term that consists only of hyphens keeps them.
    this.#loose = /[^\s-]/.test(this.#folded) ? /[\s-]/g : /\s/g;
    this.#term = squeeze(this.#folded, this.#loose);
  }

  /** Returns false if a folded text (see `folded`) cannot contain the term: a quick check without positions. */
  mayBeIn(foldedText: string): boolean {
    return this.#term.text !== '' && squeezedText(foldedText, this.#loose).includes(this.#term.text);
  }

  find(text: string): TextMatch[] {
    const matches: TextMatch[] = [];
    const within = squeezedPlaces(text, this.#loose);
    for (let at = within.text.indexOf(this.#term.text); at >= 0; at = within.text.indexOf(this.#term.text, at + 1)) {
      const match = { term: this.number, start: within.from[at]!, end: within.to[at + this.#term.text.length - 1]! };
      if (
        this.#gapsAgree(text, within, at) &&
        !(this.#wholeWord && touchesWord(text, match)) &&
        (this.#letters === undefined || this.#letters === lettersOf(text.slice(match.start, match.end)))
      )
        matches.push(match);
    }
    return matches;
  }

  /**
   * Gaps between letters must match those of the term, except for line ends, hyphens at line ends, and consistent
   * letter spacing.
   */
  #gapsAgree(text: string, within: Squeezed, at: number): boolean {
    let close = 0;
    let spaced = 0;
    for (let i = 1; i < this.#term.text.length; i++) {
      const wanted = this.#folded.slice(this.#term.to[i - 1], this.#term.from[i]);
      const found = text.slice(within.to[at + i - 1], within.from[at + i]);
      // These characters are the folded form of a single one.
      if (within.from[at + i]! < within.to[at + i - 1]!) continue;
      if (wanted !== '') {
        if (!gapAgrees(wanted, found)) return false;
      } else if (
        found === '' ||
        (/^[-\u00ad\u2010]?\n$|^\u00ad$/.test(found) && (found !== '\n' || !isHyphenated(text, within, at + i)))
      )
        close++;
      else if (/^\s$/.test(found)) spaced++;
      else return false;
    }
    return spaced === 0 || (close === 0 && this.#term.text.length >= LEAST_SPACED);
  }
}

/** The letters of a text, without what may be between them. */
function lettersOf(text: string): string {
  return unified(text).replaceAll(/[\s-]/g, '').normalize('NFC');
}

/** A blank matches any white space, a hyphen matches one with or without white space around it. */
function gapAgrees(wanted: string, found: string): boolean {
  const hyphens = folded(found).replaceAll(/\s/g, '');
  return hyphens === wanted.replaceAll(/\s/g, '') && (wanted.trim() !== '' || /\s/.test(found));
}

/** Returns true if both characters belong to scripts in which a line end within a word needs a hyphen. */
function isHyphenated(text: string, { from }: Squeezed, i: number): boolean {
  return [from[i - 1]!, from[i]!].every((place) => hyphenated.test(String.fromCodePoint(text.codePointAt(place)!)));
}

function touchesWord(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const before = /[\s\S]$/u.exec(text.slice(Math.max(0, start - 2), start))?.[0] ?? '';
  const after = end < text.length ? String.fromCodePoint(text.codePointAt(end)!) : '';
  return wordCharacter.test(before) || wordCharacter.test(after);
}

/** The last prepared texts: many terms are searched in the same one. */
let lastText: { readonly from: string; readonly loose: string; readonly text: string } | undefined;
let lastPlaces: { readonly from: string; readonly loose: string; readonly squeezed: Squeezed } | undefined;

function squeezedText(foldedText: string, loose: RegExp): string {
  if (lastText?.from !== foldedText || lastText.loose !== loose.source)
    lastText = { from: foldedText, loose: loose.source, text: foldedText.replace(loose, '') };
  return lastText.text;
}

function squeezedPlaces(text: string, loose: RegExp): Squeezed {
  if (lastPlaces?.from !== text || lastPlaces.loose !== loose.source)
    lastPlaces = { from: text, loose: loose.source, squeezed: squeeze(text, loose) };
  return lastPlaces.squeezed;
}

/** Folds letter by letter, including combining marks, as folding requires. */
function squeeze(text: string, loose: RegExp): Squeezed {
  const parts: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (const { 0: cluster, index } of text.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const letters = folded(cluster).replace(loose, '');
    parts.push(letters);
    for (let i = 0; i < letters.length; i++) {
      from.push(index);
      to.push(index + cluster.length);
    }
  }
  return { text: parts.join(''), from, to };
}
