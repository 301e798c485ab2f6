import { documentTime, documentTitle } from '../metadata/info.js';
import type { OpenedInput } from './merge-input.js';

/** Orders of the inputs (`docs/interface/general.yml`, merge-pdfs). */
export type SortType = 'orderProvided' | 'byFileName' | 'byDateModified' | 'byDateCreated' | 'byPDFTitle';

/** Orders the inputs; sorting is stable, and `fileOrder` (names, one per line) takes precedence over `sortType`. */
export function orderInputs(inputs: readonly OpenedInput[], sortType: SortType, fileOrder?: string): OpenedInput[] {
  if (fileOrder !== undefined && fileOrder.trim() !== '') return byList(inputs, fileOrder.split(/\r?\n/));
  switch (sortType) {
    case 'byFileName':
      return sortedBy(inputs, (input) => input.name.toLowerCase(), compareText);
    case 'byPDFTitle':
      return sortedBy(
        inputs,
        ({ opened }) => documentTitle(opened.document.context)?.toLowerCase(),
        lastWhenAbsent(compareText),
      );
    // Both orders are newest first by any date that the file has; undated files count as oldest.
    case 'byDateModified':
    case 'byDateCreated':
      return sortedBy(
        inputs,
        ({ opened }) => documentTime(opened.document.context),
        lastWhenAbsent((a, b) => b - a),
      );
    default:
      return [...inputs];
  }
}

/**
 * Matches the clients' names exactly: each name selects the first unused match, unknown names are skipped, the
 * remaining inputs follow in the order of upload.
 */
function byList(inputs: readonly OpenedInput[], names: readonly string[]): OpenedInput[] {
  const left = new Map<string, OpenedInput[]>();
  for (const input of inputs) left.set(input.name, [...(left.get(input.name) ?? []), input]);
  const ordered = new Set<OpenedInput>();
  for (const name of names) {
    const next = left.get(name)?.shift();
    if (next !== undefined) ordered.add(next);
  }
  for (const input of inputs) ordered.add(input);
  return [...ordered];
}

function sortedBy<K>(
  inputs: readonly OpenedInput[],
  keyOf: (input: OpenedInput) => K,
  compare: (a: K, b: K) => number,
): OpenedInput[] {
  return inputs
    .map((input) => ({ input, key: keyOf(input) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ input }) => input);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function lastWhenAbsent<K>(compare: (a: K, b: K) => number): (a: K | undefined, b: K | undefined) => number {
  return (a, b) => (a === undefined ? (b === undefined ? 0 : 1) : b === undefined ? -1 : compare(a, b));
}
