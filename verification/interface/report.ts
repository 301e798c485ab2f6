import { type Comparison, type FoundDifference, differenceKinds } from './compare.js';
import type { Contract } from './contract-calls.js';
import type { Explained } from './explanations.js';

/** A field that more calls than this have beyond the contract is printed once, with their number. */
const MANY = 6;

/**
 * Returns the whole comparison as text: every difference with its explanation, what is beyond the contract, and the
 * counts of each kind.
 */
export function report(contract: Contract, comparison: Comparison, { rows, idle }: Explained): string {
  const open = rows.filter(({ explanation }) => explanation === undefined);
  const meant = rows.filter(({ explanation }) => explanation !== undefined);
  const { counts, beyond } = comparison;
  return [
    ...section('Not explained', byCall(open.map(({ difference }) => ({ difference, note: '' })))),
    ...section(
      'Explained',
      byCall(meant.map(({ difference, explanation }) => ({ difference, note: ` [${explanation?.title ?? ''}]` }))),
    ),
    ...section(
      'Served beyond the contract: calls',
      beyond.calls.map((call) => `  ${call}`),
    ),
    ...section('Served beyond the contract: fields', beyondLines(beyond.fields)),
    ...section('Served beyond the contract: members of answers', beyondLines(beyond.members)),
    ...section(
      'Not comparable, to be checked by a person',
      contract.notComparable.map(({ source, name }) => `  ${source}: ${name}`),
    ),
    ...section(
      'Explanations that match nothing',
      idle.map((pattern) => `  ${pattern}`),
    ),
    'Differences of each kind: all, explained, open',
    ...differenceKinds.flatMap((kind) => {
      const of = (list: Explained['rows']): number => list.filter(({ difference }) => difference.kind === kind).length;
      return of(rows) === 0
        ? []
        : [
            `  ${kind.padEnd(16)} ${String(of(rows)).padStart(5)} ${String(of(meant)).padStart(5)} ` +
              `${String(of(open)).padStart(5)}`,
          ];
    }),
    `${counts.served} of ${counts.calls} calls served; ${counts.fields} fields and ${counts.members} members ` +
      `compared; ${rows.length} differences, ${meant.length} explained, ${open.length} open; ${idle.length} ` +
      'explanations without a difference',
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}

function byCall(rows: readonly { readonly difference: FoundDifference; readonly note: string }[]): string[] {
  const calls = [...new Set(rows.map(({ difference }) => difference.call))];
  return calls.flatMap((call) => {
    const own = rows.filter(({ difference }) => difference.call === call);
    return [
      `  ${call} (${[...new Set(own.flatMap(({ difference }) => difference.sources))].join(', ')})`,
      ...own.map(
        ({ difference: { kind, subject, contract, served }, note }) =>
          `    ${kind}${subject === '' ? '' : ` ${subject}`}: contract ${contract}; served ${served}${note}`,
      ),
    ];
  });
}

function beyondLines(names: ReadonlyMap<string, readonly string[]>): string[] {
  return [...names].map(
    ([name, calls]) => `  ${name}: ${calls.length > MANY ? `${calls.length} calls` : calls.join(', ')}`,
  );
}
