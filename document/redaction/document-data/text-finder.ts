import { comparable } from '../../content/index.js';

/** Returns the ranges [from, to) of a text that must be removed, in UTF-16 code units; empty if there are none. */
export interface TextFinder {
  (text: string): readonly (readonly [number, number])[];
  /** Notes which of these texts contain nothing: one search for all is faster than one for each. */
  readonly lookAhead?: (texts: Iterable<string>) => void;
}

/** The remaining parts may form a new match; a text that still matches after so many rounds is removed completely. */
const MAX_ROUNDS = 8;
/**
 * Characters that no reader shows: soft hyphens, joiners, direction and byte order marks, and language escapes (ISO
 * 32000-1, 7.9.2.2).
 */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\u001b[^\u001b]{2,8}\u001b/g;
const UNSEEN_HERE = new RegExp(UNSEEN.source, 'y');
/** Text that needs no folding before it is compared. */
const PLAIN = /^[\x20-\x7e]*$/;
/** A letter with its combining marks. */
const LETTER = /\P{M}\p{M}*|\p{M}+/guy;

/** Returns a text without the found ranges, trimmed, or undefined if nothing was found. */
export function withoutFound(text: string, find: TextFinder): string | undefined {
  let rest = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const gone = stretchesIn(rest, find);
    if (gone.length === 0) return round === 0 ? undefined : rest;
    rest = without(rest, gone).trim();
  }
  return '';
}

/** Returns true if a text contains found text. */
export function isFound(text: string, find: TextFinder): boolean {
  return formsOf(text).some((form) => find(form).some(([from, to]) => from < to));
}

/** Searches many texts at once, before `isFound` and `withoutFound` ask for each of them. */
export function lookAhead(texts: Iterable<string>, find: TextFinder): void {
  find.lookAhead?.([...texts].flatMap(formsOf));
}

/** A text, and its folded form if that differs. It is folded as a whole, since it may have many megabytes. */
function formsOf(text: string): string[] {
  if (text === '') return [];
  return PLAIN.test(text) ? [text] : [text, comparable(text.replaceAll(UNSEEN, ''))];
}

/**
 * Returns the ranges of a text that must be removed: those found in the text itself and in its folded form, which
 * matches the text of pages.
 */
function stretchesIn(text: string, find: TextFinder): (readonly [number, number])[] {
  if (text === '') return [];
  const found = find(text).filter(([from, to]) => from < to);
  if (PLAIN.test(text)) return found;
  const { folded, starts, ends } = fold(text);
  if (folded !== text) {
    for (const [from, to] of find(folded)) {
      const [start, end] = [starts[from], ends[to - 1]];
      if (from < to && start !== undefined && end !== undefined) found.push([start, end]);
    }
  }
  return found;
}

/** Folds a text for comparison and returns the position in the original text for each of its code units. */
function fold(text: string): {
  readonly folded: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
} {
  const [starts, ends]: [number[], number[]] = [[], []];
  let folded = '';
  for (let at = 0; at < text.length;) {
    UNSEEN_HERE.lastIndex = at;
    LETTER.lastIndex = at;
    const unseen = UNSEEN_HERE.exec(text)?.[0];
    const letter = unseen ?? LETTER.exec(text)?.[0] ?? text[at] ?? '';
    const shown = unseen === undefined ? comparable(letter) : '';
    for (let i = 0; i < shown.length; i++) {
      starts.push(at);
      ends.push(at + letter.length);
    }
    folded += shown;
    at += letter.length;
  }
  return { folded, starts, ends };
}

function without(text: string, gone: readonly (readonly [number, number])[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const [from, to] of [...gone].sort(([a], [b]) => a - b)) {
    if (from > at) kept.push(text.slice(at, from));
    at = Math.max(at, to);
  }
  kept.push(text.slice(at));
  return kept.join('');
}
