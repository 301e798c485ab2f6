import type { Alphabet } from './families.js';

/**
 * Scripts by which a text is told to be of an alphabet; kana and hangul decide before Han characters, which three
 * languages write.
 */
const scripts: readonly (readonly [Alphabet, RegExp])[] = [
  ['japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['korean', /\p{Script=Hangul}/u],
  ['chinese', /\p{Script=Han}/u],
  ['arabic', /\p{Script=Arabic}/u],
  ['thai', /\p{Script=Thai}/u],
];

/** Gives the alphabet whose typeface suits a text best, where nobody says which it is. */
export function alphabetOfText(text: string): Alphabet {
  return scripts.find(([, script]) => script.test(text))?.[0] ?? 'roman';
}
