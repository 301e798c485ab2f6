// oxlint-disable-next-line typescript/triple-slash-reference -- tests do not see it otherwise
/// <reference path="../../fonts/bidi-js.d.ts" />
import type { Bidi } from 'bidi-js';

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** True for text with letters of a script that is written from right to left. */
export const isRightToLeft = (text: string): boolean => rightToLeft.test(text);

/**
 * Returns the letters of a word in visual order from left to right, in which PDF readers expect them: runs of one
 * direction reversed, and the letters of right-to-left runs too (UAX 9, rule L2, of a word with levels 1 and 2).
 */
export function visualOrder(word: string, bidi: Bidi): string {
  const { levels } = bidi.getEmbeddingLevels(word, 'rtl');
  const runs: { readonly level: number; text: string }[] = [];
  for (let at = 0; at < word.length; at++) {
    const level = levels[at] ?? 1;
    const last = runs.at(-1);
    if (last?.level === level) last.text += word[at];
    else runs.push({ level, text: word[at] ?? '' });
  }
  return runs
    .reverse()
    .map(({ level, text }) => (level % 2 === 1 ? [...text].reverse().join('') : text))
    .join('');
}
