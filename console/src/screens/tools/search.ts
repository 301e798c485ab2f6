import type { ShownOperation } from '@quire/registry';
import { rt } from '../../i18n/index.ts';

/** A text as it is compared: lower case, without accents, with straight apostrophes. */
export function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();
}

/** Something that was found, and how well it fits; scores of tools and pages can be compared. */
export interface Found<T> {
  readonly item: T;
  readonly score: number;
}

/** A text in which words are looked for, and how much a word in it counts. */
type Place = readonly [weight: number, text: string];

const TITLE_WEIGHT = 12;
const KEYWORD_WEIGHT = 10;
/** For each further word that follows the one before it as in the query: "pdf to" finds "PDF to images" first. */
const SEQUENCE_BONUS = 8;
/** What scores less than this share of the best is noise: a word inside of another, or in the notes only. */
const NOISE = 0.3;

/**
 * Returns the operations that match all words, best first. Where none does, those that match most words, the rarest
 * word among them: it says more than "make" or "a".
 */
export function searchTools(operations: readonly ShownOperation[], query: string): readonly ShownOperation[] {
  return wordsOf(query).length === 0 ? operations : rankTools(operations, query).map(({ item }) => item);
}

/** The operations that match, with their scores, best first. */
export function rankTools(operations: readonly ShownOperation[], query: string): readonly Found<ShownOperation>[] {
  const ranked = rank(operations, query, placesOf);
  return ranked
    .map(({ item, score }) => ({ item, score: item.availability.state === 'available' ? score : score * 0.8 }))
    .sort((a, b) => b.score - a.score || a.item.order - b.item.order);
}

/** A page or a part of one: its title, also in English, and further words. */
export interface Titled {
  readonly titles: readonly string[];
  readonly words: readonly string[];
}

/** The pages whose titles and words have all words of the query, with their scores. */
export function rankPages<T extends Titled>(pages: readonly T[], query: string): readonly Found<T>[] {
  const places = ({ titles, words }: Titled): readonly Place[] => [
    [TITLE_WEIGHT, plain(titles.join(' | '))],
    [KEYWORD_WEIGHT, plain(words.join(' | '))],
  ];
  const wanted = wordsOf(query);
  const all = pages.filter((page) => wanted.every((word) => places(page).some(([, text]) => matches(text, word) > 0)));
  return rank(all, query, places);
}

function rank<T>(items: readonly T[], query: string, places: (item: T) => readonly Place[]): readonly Found<T>[] {
  const words = wordsOf(query);
  const scored = items.map((item) => ({ item, ...scoreOf(places(item), words) }));
  const counts = words.map((_, i) => scored.filter(({ matched }) => matched[i]).length);
  const rarest = counts.indexOf(Math.min(...counts.filter((count) => count > 0)));
  const likely = scored.filter(({ matched }) => matched[rarest]);
  const most = Math.max(0, ...likely.map(({ matched }) => matched.filter(Boolean).length));
  const found = likely.filter(({ matched }) => matched.filter(Boolean).length === most);
  const best = Math.max(0, ...found.map(({ score }) => score));
  return found.filter(({ score }) => score >= best * NOISE);
}

function wordsOf(query: string): string[] {
  return plain(query)
    .split(/[\s,/]+/)
    .filter((word) => word !== '');
}

function placesOf(operation: ShownOperation): readonly Place[] {
  return [
    [TITLE_WEIGHT, plain(`${rt(operation.title)} | ${operation.title}`)],
    [KEYWORD_WEIGHT, plain(operation.keywords.map((word) => `${rt(word)} | ${word}`).join(' | '))],
    [6, plain(`${rt(operation.summary)} | ${operation.summary}`)],
    [5, plain(operation.path.replaceAll(/[/-]/g, ' '))],
    [1, plain(operation.notes ?? '')],
  ];
}

/** The sum of the best match of each word, with a bonus for words in the order of the query; which words matched. */
function scoreOf(
  places: readonly Place[],
  words: readonly string[],
): { readonly score: number; readonly matched: readonly boolean[] } {
  const best = words.map((word) => Math.max(...places.map(([weight, text]) => weight * matches(text, word))));
  const longest = Math.max(0, ...places.map(([, text]) => longestSequence(` ${text} `, words)));
  const sum = best.reduce((total, each) => total + each, 0);
  return { score: sum + SEQUENCE_BONUS * Math.max(0, longest - 1), matched: best.map((each) => each > 0) };
}

/** The most words of the query that occur in the text one after another. */
function longestSequence(text: string, words: readonly string[]): number {
  let longest = 0;
  for (let from = 0; from < words.length; from++)
    for (let to = words.length; to - from > longest; to--)
      if (text.includes(` ${words.slice(from, to).join(' ')} `)) longest = to - from;
  return longest;
}

/** 1 for a word, 0.8 for its beginning, 0.4 inside it, 0.3 with one typing mistake. */
function matches(text: string, word: string): number {
  if (!text.includes(word)) return word.length >= 4 && text.split(/\W+/).some((each) => isNear(each, word)) ? 0.3 : 0;
  const found = text.split(/[^\p{L}\p{N}]+/u);
  if (found.includes(word)) return 1;
  return found.some((each) => each.startsWith(word)) ? 0.8 : word.length >= 3 ? 0.4 : 0;
}

/** Whether one insertion, deletion, replacement or swap makes the words equal. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA.length > 1 && restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}
