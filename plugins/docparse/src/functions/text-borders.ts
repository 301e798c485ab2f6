import type { Passage } from './passages.js';

/** A letter with its marks is looked for in so many characters. */
const LETTERS = 256;

/** The places of a section's text where it may be cut: before the character at that offset. */
export class TextBorders {
  readonly #blocks: number[] = [];
  readonly #sentences: number[] = [];
  readonly #pageStarts: number[] = [];
  readonly #pages: number[] = [];

  /** `text`: the passages, joined by empty lines. */
  constructor(
    private readonly text: string,
    passages: readonly Passage[],
    language: string | undefined,
  ) {
    const sentences = sentencesOf(language);
    let at = 0;
    for (const [i, passage] of passages.entries()) {
      // A heading stays with what it names.
      if (i > 0 && passages[i - 1]!.level === undefined) {
        this.#blocks.push(at);
        this.#sentences.push(at);
      }
      if (passage.kind === 'lines')
        for (let line = passage.text.indexOf('\n'); line >= 0; line = passage.text.indexOf('\n', line + 1))
          this.#sentences.push(at + line + 1);
      else if (passage.level === undefined)
        for (const { index } of sentences.segment(passage.text)) if (index > 0) this.#sentences.push(at + index);
      for (const turn of passage.pages) {
        this.#pageStarts.push(at + turn.at);
        this.#pages.push(turn.page);
      }
      at += passage.text.length + 2;
    }
  }

  /** The last place in (after, most] where a block begins. */
  lastBlock(after: number, most: number): number | undefined {
    return last(this.#blocks, after, most);
  }

  /** The last place in (after, most] where a block, sentence or line begins. */
  lastSentence(after: number, most: number): number | undefined {
    return last(this.#sentences, after, most);
  }

  /** The last place in (after, most] behind white space. */
  lastWord(after: number, most: number): number | undefined {
    for (let at = most; at > after; at--) if (isSpace(this.text[at - 1]!) && !isSpace(this.text[at] ?? '')) return at;
    return undefined;
  }

  /** The last place in (after, most] between letters; a letter of more characters than fit is divided. */
  lastLetter(after: number, most: number): number {
    const from = Math.max(after, most - LETTERS);
    const found = this.#letters(from, most + LETTERS).findLast((at) => at > after && at <= most);
    return found ?? (isTrail(this.text, most) && most - 1 > after ? most - 1 : most);
  }

  /** The first place in [least, before) where a block, sentence or line begins. */
  firstSentence(least: number, before: number): number | undefined {
    const at = this.#sentences[position(this.#sentences, least)];
    return at !== undefined && at < before ? at : undefined;
  }

  /** The first place in [least, before) behind white space. */
  firstWord(least: number, before: number): number | undefined {
    for (let at = Math.max(1, least); at < before; at++)
      if (isSpace(this.text[at - 1]!) && !isSpace(this.text[at]!)) return at;
    return undefined;
  }

  /** The first place in [least, before] between letters. */
  firstLetter(least: number, before: number): number {
    const from = Math.max(0, least - LETTERS);
    return this.#letters(from, Math.min(before, Math.max(0, least) + LETTERS)).find((at) => at >= least) ?? before;
  }

  /** Least and greatest page of the characters from `first` to `last`. */
  pages(first: number, last: number): [number, number] {
    // The last passage that starts at or before the first character contains it; notes of an earlier page may follow
    // text of a later one.
    let [least, most] = [Infinity, 0];
    for (
      let i = Math.max(0, position(this.#pageStarts, first + 1) - 1);
      i < this.#pages.length && this.#pageStarts[i]! <= last;
      i++
    ) {
      least = Math.min(least, this.#pages[i]!);
      most = Math.max(most, this.#pages[i]!);
    }
    return [least, most];
  }

  /** Places between letters (extended grapheme clusters, UAX 29) in [from, to). */
  #letters(from: number, to: number): number[] {
    const start = isTrail(this.text, from) ? from + 1 : from;
    return [...letters.segment(this.text.slice(start, to))]
      .map(({ index }) => start + index)
      .filter((at) => at > start || start === 0);
  }
}

/** Letters with their marks are the same in all languages. */
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function sentencesOf(language: string | undefined): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language ?? 'en', { granularity: 'sentence' });
  } catch {
    // Documents write there what they like.
    return new Intl.Segmenter('en', { granularity: 'sentence' });
  }
}

const isSpace = (character: string): boolean => /\s/.test(character);

/** True for the second half of a surrogate pair. */
function isTrail(text: string, at: number): boolean {
  const [before, here] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return here >= 0xdc00 && here <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

function last(places: readonly number[], after: number, most: number): number | undefined {
  const at = places[position(places, most + 1) - 1];
  return at !== undefined && at > after ? at : undefined;
}

/** Counts the positions below `at`. */
function position(places: readonly number[], at: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
