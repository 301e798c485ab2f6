import type { ShownOperation } from '@quire/registry';
import { rt } from '../../i18n/index.ts';

/** A text as it is compared: lower case, without accents, with straight apostrophes. */
export function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();
}

/** Returns the operations that match all words, best first. */
export function searchTools(operations: readonly ShownOperation[], query: string): readonly ShownOperation[] {
  const words = plain(query)
    .split(/[\s,/]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return operations;
  return operations
    .map((operation) => ({ operation, score: scoreOf(operation, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.operation.order - b.operation.order)
    .map(({ operation }) => operation);
}

/** The sum of the best match of each word; 0 if one matches nothing. */
function scoreOf(operation: ShownOperation, words: readonly string[]): number {
  const places: readonly (readonly [number, string])[] = [
    [12, plain(`${rt(operation.title)} ${operation.title}`)],
    [10, plain(operation.keywords.map((word) => `${rt(word)} ${word}`).join(' '))],
    [6, plain(`${rt(operation.summary)} ${operation.summary}`)],
    [5, plain(operation.path.replaceAll(/[/-]/g, ' '))],
    [1, plain(operation.notes ?? '')],
  ];
  let sum = 0;
  for (const word of words) {
    const best = Math.max(...places.map(([weight, text]) => weight * matches(text, word)));
    if (best === 0) return 0;
    sum += best;
  }
  return operation.availability.state === 'available' ? sum : sum * 0.8;
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
