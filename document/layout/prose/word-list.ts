const WORD = /^[^\p{L}]*(\p{L}[\p{L}\p{M}'\u2019]*(?:[-\u2010\u2011]\p{L}[\p{L}\p{M}'\u2019]*)*)[^\p{L}]*$/u;
const MAX_WORDS = 300_000;

/** Words that occur in a document, by which divided ones are judged. */
export class WordList {
  readonly #words = new Set<string>();

  /** Notes a word that stands undivided. */
  add(text: string): void {
    // Most words are known and in lower case already.
    if (this.#words.has(text) || this.#words.size >= MAX_WORDS) return;
    const word = WORD.exec(text)?.[1];
    if (word !== undefined && word.length > 1) this.#words.add(word.toLowerCase().replace(/[\u2010\u2011]/g, '-'));
  }

  has(word: string): boolean {
    return this.#words.has(word.toLowerCase());
  }

  /**
   * Classifies a hyphen between two lines: `joined` if it only divides the word, `kept` if it belongs to it, `apart` if
   * they are two words. Without a dictionary: other occurrences of the word decide, then whether both parts are words.
   */
  divided(before: string, after: string): 'joined' | 'kept' | 'apart' {
    const first = /[\p{L}\p{M}]+$/u.exec(before)?.[0];
    const second = /^[\p{L}\p{M}]+/u.exec(after)?.[0];
    if (first === undefined || second === undefined)
      return /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after) ? 'kept' : 'apart';
    if (this.has(first + second)) return 'joined';
    if (this.has(`${first}-${second}`)) return 'kept';
    // "und" and its like after a hyphen: "Vor- und Nachteile".
    if (/^(?:und|oder|bzw|and|or|to|bis|et|ou|y|o|e|en|of)$/u.test(second)) return 'apart';
    if (/^\p{Lu}/u.test(second)) return 'kept';
    return first.length > 2 && second.length > 2 && this.has(first) && this.has(second) ? 'kept' : 'joined';
  }
}
