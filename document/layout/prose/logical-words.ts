import type { Direction } from '../model.js';
import type { Word } from '../page-content.js';

/**
 * Words of one line, some of them right-to-left, in logical order. Parts of the line come in the direction in which
 * most of its letters are written; words that are of no such part run from left to right.
 */
export function inLogicalOrder(words: readonly Word[]): Word[] {
  const byPart = new Map<object, Word[]>();
  const others: Word[] = [];
  for (const word of words) {
    const part = word.bidi === undefined ? others : byPart.get(word.bidi.part);
    if (part === undefined) byPart.set(word.bidi!.part, [word]);
    else part.push(word);
  }
  if (byPart.size === 0) return [...words];
  for (const part of byPart.values()) part.sort((a, b) => a.bidi!.at - b.bidi!.at);
  const parts = [...byPart.values(), ...others.map((word) => [word])]
    .map((own) => ({ own, left: Math.min(...own.map(({ box }) => box.left)), mixed: own[0]!.bidi !== undefined }))
    .sort((a, b) => a.left - b.left);
  if (directionOfWords(words) === 'ltr') return parts.flatMap(({ own }) => own);
  const runs: Word[][] = [];
  let run: Word[] | undefined;
  for (const { own, mixed } of parts) {
    if (run !== undefined && !mixed) run.push(...own);
    else runs.push((run = [...own]));
    if (mixed) run = undefined;
  }
  return runs.reverse().flat();
}

/** The base direction of most letters. */
export function directionOfWords(words: readonly Word[]): Direction {
  let balance = 0;
  for (const { text, bidi } of words)
    balance += bidi === undefined ? -(text.match(/\p{L}/gu)?.length ?? 0) : bidi.part.rtl ? text.length : -text.length;
  return balance > 0 ? 'rtl' : 'ltr';
}
