import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type DifferenceKind, type FoundDifference, differenceKinds } from './compare.js';

/** Groups of explanations, which are sections of the page in this order. */
export const groups = ['better', 'wider', 'otherWords', 'notBuilt'] as const;

/** An intended deviation with every difference that it causes. */
export interface Explanation {
  readonly group: (typeof groups)[number];
  /** The effect on a client. */
  readonly title: string;
  readonly reason: string;
  readonly where: readonly Place[];
}

/** Selects differences by patterns, in which `*` matches anything; omitted kinds or subjects match all. */
interface Place {
  readonly calls: readonly string[];
  readonly kinds?: readonly DifferenceKind[];
  readonly subjects?: readonly string[];
}

/** Differences with their explanations. */
export interface Explained {
  readonly rows: readonly { readonly difference: FoundDifference; readonly explanation: Explanation | undefined }[];
  /** Patterns that no longer match anything. */
  readonly idle: readonly string[];
}

/** Reads a list of explanations. Throws for one that lacks a member or has unknown values. */
export function readExplanations(path: string): readonly Explanation[] {
  const list: unknown = parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(list)) throw new Error(`${path} must be a list of explanations`);
  return list.map((one: Explanation, i) => {
    const faults = [
      ...(groups.includes(one.group) ? [] : [`unknown group, expected one of ${groups.join(', ')}`]),
      ...(['title', 'reason'] as const)
        .filter((member) => typeof one[member] !== 'string' || one[member] === '')
        .map((member) => `no ${member}`),
      ...(Array.isArray(one.where) &&
      one.where.length > 0 &&
      one.where.every(({ calls }) => Array.isArray(calls) && calls.length > 0)
        ? []
        : ['where must list calls']),
      ...[one.where ?? []]
        .flat()
        .flatMap(({ kinds }) =>
          (kinds ?? []).filter((kind) => !differenceKinds.includes(kind)).map((kind) => `unknown kind ${kind}`),
        ),
    ];
    if (faults.length > 0) throw new Error(`${path}, explanation ${i + 1} (${one.title}): ${faults.join('; ')}`);
    return one;
  });
}

/** Assigns each difference the first explanation that matches it, and lists the patterns that match nothing. */
export function explain(differences: readonly FoundDifference[], explanations: readonly Explanation[]): Explained {
  const used = new Set<string>();
  const rows = differences.map((difference) => ({
    difference,
    explanation: explanations.filter(
      (explanation) => explanation.where.filter((place) => covers(explanation, place, difference, used)).length > 0,
    )[0],
  }));
  const idle = explanations.flatMap((explanation) =>
    explanation.where.flatMap((place) =>
      patterns(place)
        .filter((pattern) => !used.has(key(explanation, place, pattern)))
        .map((pattern) => `${explanation.title}: ${pattern}`),
    ),
  );
  return { rows, idle };
}

const patterns = ({ calls, kinds = [], subjects = [] }: Place): string[] => [...calls, ...kinds, ...subjects];
const key = ({ title, where }: Explanation, place: Place, pattern: string): string =>
  JSON.stringify([title, where.indexOf(place), pattern]);

/** Returns true when the place matches the difference, and remembers the patterns that matched. */
function covers(
  explanation: Explanation,
  place: Place,
  { call, kind, subject }: FoundDifference,
  used: Set<string>,
): boolean {
  const calls = place.calls.filter((pattern) => matches(pattern, call));
  const kinds = (place.kinds ?? []).filter((pattern) => pattern === kind);
  const subjects = (place.subjects ?? []).filter((pattern) => matches(pattern, subject));
  const has =
    calls.length > 0 &&
    (place.kinds === undefined || kinds.length > 0) &&
    (place.subjects === undefined || subjects.length > 0);
  if (has) for (const pattern of [...calls, ...kinds, ...subjects]) used.add(key(explanation, place, pattern));
  return has;
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(text);
}
