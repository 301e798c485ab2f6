import { comparable } from '../../content/index.js';

/**
 * Says which stretches [from, to) of a text are to go; empty when none. Counted in UTF-16 code units, as strings are.
 */
export type TextFinder = (text: string) => readonly (readonly [number, number])[];

/** What is left may match anew where two ends meet; a text that goes on matching goes as a whole. */
const MAX_ROUNDS = 8;
/**
 * What no reader shows: soft hyphens, joiners, marks of direction and byte order, and language escapes (ISO 32000-1,
 * 7.9.2.2).
 */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\u001b[^\u001b]{2,8}\u001b/g;
const UNSEEN_HERE = new RegExp(UNSEEN.source, 'y');
/** Compared as it stands. */
const PLAIN = /^[\x20-\x7e]*$/;
/** A letter with the marks that belong to it. */
const LETTER = /\P{M}\p{M}*|\p{M}+/guy;

/** Gives a text without what is to go and without white space around the rest, or undefined when all of it may stay. */
export function withoutFound(text: string, find: TextFinder): string | undefined {
  let rest = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const gone = stretchesIn(rest, find);
    if (gone.length === 0) return round === 0 ? undefined : rest;
    rest = without(rest, gone).trim();
  }
  return '';
}

/** True when something of a text is to go. */
export function isFound(text: string, find: TextFinder): boolean {
  const finds = (one: string): boolean => find(one).some(([from, to]) => from < to);
  // Whole, since texts of many megabytes are asked about.
  return text !== '' && (finds(text) || (!PLAIN.test(text) && finds(comparable(text.replaceAll(UNSEEN, '')))));
}

/** The stretches of a text that are to go, as it is written and as it is compared with what pages show. */
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

/** A text as it is compared, with the place of each of its code units in the text it was made of. */
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
