import type { ShownOperation } from '@quire/registry';
import { EXIT, Failure } from './failure.js';

type Named = Pick<ShownOperation, 'name' | 'path' | 'keywords' | 'title'>;

/** `rotatePdf` → `rotate-pdf`. */
export function kebab(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
}

/** The short form of a command: `rotate` of `rotate-pdf`, `merge` of `merge-pdfs`. */
export function shortForm(command: string): string {
  return command.replace(/-pdfs?$/, '');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * How a word may name an operation, best first: its command, its path or the last part of it; the short form of one of
 * these; a word of its command; a keyword; the beginning of its command. The first rule that fits one decides.
 */
const RULES: readonly ((operation: Named, word: string) => boolean)[] = [
  ({ name, path }, word) => [kebab(name), name.toLowerCase(), lastPart(path), path].includes(word),
  ({ name, path }, word) => [kebab(name), lastPart(path)].some((command) => shortForm(command) === word),
  ({ name }, word) => kebab(name).split('-').includes(word),
  ({ keywords }, word) => keywords.some((keyword) => keyword.toLowerCase().replaceAll(' ', '-') === word),
  ({ name, path }, word) => [kebab(name), lastPart(path)].some((command) => command.startsWith(word)),
];

/** Finds the operation that a word names. Throws a Failure that lists similar ones where that is none or several. */
export function findOperation<T extends Named>(operations: readonly T[], word: string): T {
  const wanted = word.toLowerCase();
  for (const fits of RULES) {
    const found = operations.filter((operation) => fits(operation, wanted));
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    if (found.length > 1)
      throw new Failure(EXIT.usage, `"${word}" may be: ${found.map(({ name }) => kebab(name)).join(', ')}.`);
  }
  const similar = searchOperations(operations, word).slice(0, 8);
  throw new Failure(
    EXIT.usage,
    `Unknown command "${word}".`,
    similar.length === 0
      ? 'List all: quire tools'
      : `Did you mean: ${similar.map(({ name }) => kebab(name)).join(', ')}?`,
  );
}

/** Operations with a word in command, title or keywords, and for a typing mistake those with a similar command. */
export function searchOperations<T extends Named>(operations: readonly T[], text: string): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter(({ name, title, keywords }) => {
    const all = [kebab(name), title, ...keywords].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
  if (found.length > 0 || text.length < 4) return found;
  return operations.filter(({ name }) => [kebab(name), shortForm(kebab(name))].some((one) => isSimilar(one, text)));
}

/** Whether one change makes one of the other: a character more, less, other, or two exchanged. */
function isSimilar(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return (left.length <= 1 && right.length <= 1) || [...left].reverse().join('') === right;
}
