import { readingOf, readingText } from './reading.js';
import type { TextSearch } from './text-search.js';

/**
 * Returns a function that runs the same search on texts outside of pages (names, form values, metadata) and returns the
 * found ranges [from, to).
 */
export function finderOf(search: TextSearch): (text: string) => readonly (readonly [number, number])[] {
  return (text) => {
    if (text.trim() === '' || search.find(readingText(text)).length === 0) return [];
    const places: number[] = [];
    const pieces = [...text.matchAll(/[\s\S]/gu)].map(({ 0: character, index }) => {
      places.push(index);
      return { text: character };
    });
    const { text: read, first, last } = readingOf(pieces);
    return search
      .find(read)
      .map(({ start, end }) => [places[first[start]!]!, places[last[end - 1]! + 1] ?? text.length] as const);
  };
}
