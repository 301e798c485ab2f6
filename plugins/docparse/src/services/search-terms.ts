/**
 * Marks over and under letters that people leave out when they search: of Latin, Greek and Cyrillic, Hebrew points,
 * Arabic vowels.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Scripts without blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/**
 * Returns the search terms of a text: its words without case and accents; for scripts without spaces, pairs of letters.
 */
export function searchTerms(text: string): string[] {
  const folded = text.normalize('NFKD').replace(MARKS, '').normalize('NFC').toLowerCase();
  const terms: string[] = [];
  for (const [word] of folded.matchAll(WORDS)) {
    let at = 0;
    for (const found of word.matchAll(UNSPACED)) {
      if (found.index > at) terms.push(word.slice(at, found.index));
      const letters = [...found[0]];
      if (letters.length === 1) terms.push(letters[0]!);
      for (let i = 0; i + 1 < letters.length; i++) terms.push(letters[i]! + letters[i + 1]!);
      at = found.index + found[0].length;
    }
    if (at < word.length) terms.push(word.slice(at));
  }
  return terms;
}
