import { compareAnswer } from './compare-answers.js';
import { compareFields } from './compare-fields.js';
import type { Contract, ContractCall } from './contract-calls.js';
import { memberPaths, plainPath, type Served, type ServedCall } from './served-calls.js';

/** Kinds of differences, in the order of the report. */
export const differenceKinds = [
  'path',
  'method',
  'part',
  'field',
  'type',
  'required',
  'default',
  'enum-missing',
  'enum-additional',
  'range',
  'success-status',
  'media-type',
  'file-name',
  'member',
  'member-type',
  'member-enum',
  'error-status',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** A difference between the served interface and the contract. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** `POST /api/v1/general/crop`. */
  readonly call: string;
  /** The field, part, member or status; empty for the call itself. */
  readonly subject: string;
  readonly contract: string;
  readonly served: string;
}

/** A difference with the contract files that specify the point. */
export interface FoundDifference extends Difference {
  readonly sources: readonly string[];
}

/** Served, but not in the contract. This is not a difference, because existing clients never use it. */
export interface Beyond {
  readonly calls: readonly string[];
  /** Fields and members by name, with the calls that have them. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly members: ReadonlyMap<string, readonly string[]>;
}

/** The comparison of a whole contract. */
export interface Comparison {
  readonly differences: readonly FoundDifference[];
  readonly beyond: Beyond;
  /** Numbers of what was compared. */
  readonly counts: {
    readonly calls: number;
    readonly served: number;
    readonly fields: number;
    readonly members: number;
  };
}

/** The name of a call in reports and explanations. */
export function callName({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

/** Compares every call of the contract with what is served. */
export function compareContract(contract: Contract, served: Served): Comparison {
  const found = new Map<string, FoundDifference>();
  const matched = new Map<ServedCall, ContractCall[]>();
  for (const call of contract.calls) {
    const matches = servedFor(call, served.calls);
    for (const one of matches) matched.set(one, [...(matched.get(one) ?? []), call]);
    for (const difference of matches.length === 0
      ? [missing(call, served.calls)]
      : call.path.includes('*')
        ? []
        : matches.flatMap((one) => compareCall(call, one, served))) {
      const key = JSON.stringify([difference.kind, difference.call, difference.subject, difference.contract]);
      found.set(key, { ...difference, sources: [...new Set([...(found.get(key)?.sources ?? []), call.source])] });
    }
  }
  const inContract = contract.calls.filter((call) => servedFor(call, served.calls).length > 0);
  return {
    differences: [...found.values()].sort((a, b) =>
      a.call === b.call ? differenceKinds.indexOf(a.kind) - differenceKinds.indexOf(b.kind) : a.call < b.call ? -1 : 1,
    ),
    beyond: beyond(served, matched),
    counts: {
      calls: new Set(contract.calls.map((call) => plainPath(callName(call)))).size,
      served: new Set(inContract.map((call) => plainPath(callName(call)))).size,
      fields: inContract.reduce((sum, { fields, parts }) => sum + fields.length + parts.length, 0),
      members: inContract.reduce((sum, { answer }) => sum + (answer?.members.size ?? 0), 0),
    },
  };
}

/** Returns the served calls of a contract's path; a path with `*` matches all that begin with the text before it. */
function servedFor({ method, path }: ContractCall, calls: readonly ServedCall[]): ServedCall[] {
  const start = path.endsWith('*') ? path.slice(0, -1) : undefined;
  return calls.filter(
    (call) =>
      call.method === method &&
      (start === undefined ? plainPath(call.path) === plainPath(path) : call.path.startsWith(start)),
  );
}

function missing(call: ContractCall, calls: readonly ServedCall[]): Difference {
  const others = calls.filter(({ path }) => plainPath(path) === plainPath(call.path)).map(({ method }) => method);
  return {
    kind: others.length === 0 ? 'path' : 'method',
    call: callName(call),
    subject: '',
    contract: 'served',
    served: others.length === 0 ? 'not served' : `only ${others.join(', ')}`,
  };
}

function compareCall(call: ContractCall, one: ServedCall, served: Served): Difference[] {
  const name = callName(call);
  return [
    ...compareFields(call, one, served).map((difference) => ({ ...difference, call: name })),
    ...compareAnswer(call, one, served).map((difference) => ({ ...difference, call: name })),
  ];
}

function beyond(served: Served, matched: ReadonlyMap<ServedCall, readonly ContractCall[]>): Beyond {
  const fields = new Map<string, string[]>();
  const members = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, name: string, call: ServedCall): void =>
    void map.set(name, [...(map.get(name) ?? []), callName(call)]);
  for (const [one, calls] of matched) {
    const named = new Set(calls.flatMap((call) => [...call.fields, ...call.parts].map(({ name }) => name)));
    for (const [name] of Object.values(one.fields).flatMap((place) => [...place]))
      if (!named.has(name) && ![...named].some((field) => field.startsWith(`${name}[`))) add(fields, name, one);
    const answers = calls.flatMap(({ answer }) => [...(answer?.members.keys() ?? [])]);
    const json = one.content.get('application/json');
    // When the contract names no member, nothing counts as beyond it.
    if (json === undefined || answers.length === 0) continue;
    const known = new Set(answers);
    for (const path of memberPaths(json, served)) {
      const above = path.slice(0, Math.max(0, path.lastIndexOf('.')));
      const described = above === '' || answers.some((answer) => answer.startsWith(`${above}.`));
      if (
        described &&
        !known.has(path) &&
        !answers.some(
          (answer) => answer.startsWith(`${path}[`) || answer.startsWith(`${path}.`) || answer.startsWith('{}'),
        )
      )
        add(members, path, one);
    }
  }
  return { calls: served.calls.filter((call) => !matched.has(call)).map(callName), fields, members };
}
