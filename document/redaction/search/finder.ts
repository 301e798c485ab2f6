import { readingOf, readingText } from './reading.js';
import type { TextSearch } from './text-search.js';

/** Names and short strings repeat, and there may be hundreds of thousands; longer texts are searched each time. */
const SHORT = 256;
const MOST_REMEMBERED = 200_000;
/** Characters that are searched under one time limit: several pages. */
const BATCH = 50_000;

/** A search of texts outside of pages. */
export interface Finder {
  /** Returns the found ranges [from, to). */
  (text: string): readonly (readonly [number, number])[];
  /** Searches many short texts at once and remembers those without a match. */
  readonly lookAhead: (texts: Iterable<string>) => void;
}

/**
 * Returns a function that runs the same search on texts outside of pages (names, form values, metadata). Short texts
 * without a match are searched once.
 */
export function finderOf(search: TextSearch): Finder {
  const clear = new Set<string>();
  const remember = (text: string): void => {
    if (text.length <= SHORT && clear.size < MOST_REMEMBERED) clear.add(text);
  };
  const find = (text: string): readonly (readonly [number, number])[] => {
    if (text.trim() === '' || clear.has(text)) return [];
    if (search.find(readingText(text)).length === 0) {
      remember(text);
      return [];
    }
    return rangesIn(text, search);
  };
  return Object.assign(find, {
    lookAhead: (texts: Iterable<string>): void => {
      for (const batch of batchesOf(texts, clear)) {
        const found = new Set(search.holding(batch.map(readingText)));
        for (const [i, text] of batch.entries()) if (!found.has(i)) remember(text);
      }
    },
  });
}

function* batchesOf(texts: Iterable<string>, known: ReadonlySet<string>): Generator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const text of new Set(texts)) {
    if (text.length > SHORT || text.trim() === '' || known.has(text)) continue;
    batch.push(text);
    length += text.length;
    if (length < BATCH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

function rangesIn(text: string, search: TextSearch): (readonly [number, number])[] {
  const places: number[] = [];
  const pieces = [...text.matchAll(/[\s\S]/gu)].map(({ 0: character, index }) => {
    places.push(index);
    return { text: character };
  });
  const { text: read, first, last } = readingOf(pieces);
  return search
    .find(read)
    .map(({ start, end }) => [places[first[start]!]!, places[last[end - 1]! + 1] ?? text.length] as const);
}
