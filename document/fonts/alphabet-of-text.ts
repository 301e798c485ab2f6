import type { Alphabet } from './families.js';

/** Scripts that identify an alphabet; kana and hangul come before Han characters, which three languages use. */
const scripts: readonly (readonly [Alphabet, RegExp])[] = [
  ['japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['korean', /\p{Script=Hangul}/u],
  ['chinese', /\p{Script=Han}/u],
  ['arabic', /\p{Script=Arabic}/u],
  ['thai', /\p{Script=Thai}/u],
];

/** Returns the alphabet whose font fits a text best, where none was given. */
export function alphabetOfText(text: string): Alphabet {
  return scripts.find(([, script]) => script.test(text))?.[0] ?? 'roman';
}
