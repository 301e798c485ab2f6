import type { ShownOperation } from '@quire/registry';
import { isRecord } from '../../../viewers/index.ts';
import { knownFacts, type Condition } from './condition.ts';
import type { Step, StepList } from './step.ts';

/** The files between two steps: their kinds, undefined for any, and whether one file may become several. */
export interface Flowing {
  readonly kinds: readonly string[] | undefined;
  readonly many: boolean;
}

/** What reaches a step and what it gives. */
export interface StepFlow {
  readonly before: Flowing;
  readonly after: Flowing;
  /** It takes none of the kinds that reach it. */
  readonly refused: boolean;
}

export interface Flows {
  readonly steps: ReadonlyMap<Step, StepFlow>;
  /** What reaches the first step of a list. */
  readonly lists: ReadonlyMap<StepList, Flowing>;
}

type FoundFlows = { readonly steps: Map<Step, StepFlow>; readonly lists: Map<StepList, Flowing> };

const ANY: Flowing = { kinds: undefined, many: false };

/** The kinds of files along the steps, as the catalog declares them. The server's check decides. */
export function flowOf(root: StepList): Flows {
  const found: FoundFlows = { steps: new Map(), lists: new Map() };
  through(root, ANY, found);
  return found;
}

function through(list: StepList, reaching: Flowing, found: FoundFlows): Flowing {
  found.lists.set(list, reaching);
  let before = reaching;
  for (const step of list.steps.value) {
    const flow = flowAt(step, before, found);
    found.steps.set(step, flow);
    before = flow.after;
  }
  return before;
}

function flowAt(step: Step, before: Flowing, found: FoundFlows): StepFlow {
  const { operation } = step;
  const passing = { before, after: before, refused: false };
  if (step.branchForm !== undefined) {
    const ways = step.branches.value.map((branch, i) => through(branch, intoBranch(step, i, before), found));
    const after = { ...together(ways), many: step.branchForm === 'parallel' || ways.some(({ many }) => many) };
    return step.enabled.value ? { before, after: orUnchanged(step, before, after), refused: false } : passing;
  }
  if (!step.enabled.value) return passing;
  const taken = operation === undefined ? undefined : takenBy(operation, before.kinds);
  const refused = taken !== undefined && taken.length === 0;
  const after = operation === undefined || refused ? ANY : given(operation, step, taken, before.many);
  return { before, after: orUnchanged(step, before, after), refused };
}

/** With `continue`, files go on as they were if the step fails. */
function orUnchanged(step: Step, before: Flowing, after: Flowing): Flowing {
  return step.onError.value === 'continue' ? together([after, before]) : after;
}

function together(ways: readonly Flowing[]): Flowing {
  const kinds = ways.some((way) => way.kinds === undefined)
    ? undefined
    : [...new Set(ways.flatMap((way) => way.kinds ?? []))];
  return { kinds: kinds?.length === 0 ? undefined : kinds, many: ways.some(({ many }) => many) };
}

function intoBranch(step: Step, i: number, before: Flowing): Flowing {
  if (step.branchForm === 'each') return { ...before, many: false };
  const condition = step.condition.value;
  const wanted = i === 0 && condition !== undefined ? kindsOf(condition) : undefined;
  if (wanted === undefined) return before;
  const kinds = before.kinds === undefined ? wanted : before.kinds.filter((kind) => wanted.includes(kind));
  return { ...before, kinds };
}

/** The kinds of files for which a condition may be true; undefined for any. */
function kindsOf({ form, read, parts, negations }: Condition): readonly string[] | undefined {
  if (negations > 0) return undefined;
  if (form === 'all') {
    const [first, ...more] = parts.flatMap((part) => {
      const kinds = kindsOf(part);
      return kinds === undefined ? [] : [kinds];
    });
    return first?.filter((kind) => more.every((kinds) => kinds.includes(kind)));
  }
  if (form !== 'fact' || !isRecord(read)) return undefined;
  if (read['fact'] === 'kind') {
    const named = read['in'] ?? (read['is'] === undefined ? [] : [read['is']]);
    return Array.isArray(named) && named.length > 0 ? named.map(String) : undefined;
  }
  return knownFacts().find(({ name }) => name === read['fact'])?.kinds;
}

/** The kinds of files that an operation takes; undefined for any. */
export function acceptedBy({ parts }: ShownOperation): readonly string[] | undefined {
  const kinds = parts[0]?.kinds ?? [];
  return kinds.length === 0 || kinds.includes('any') ? undefined : kinds;
}

function takenBy(operation: ShownOperation, reaching: readonly string[] | undefined): readonly string[] | undefined {
  const accepted = acceptedBy(operation);
  if (accepted === undefined || reaching === undefined) return accepted ?? reaching;
  return reaching.filter((kind) => accepted.includes(kind));
}

function given(
  { returns, parts }: ShownOperation,
  step: Step,
  taken: readonly string[] | undefined,
  several: boolean,
): Flowing {
  const many = returns.many || (several && parts[0]?.many !== true);
  if (returns.type === 'json') return { kinds: ['json'], many };
  if (returns.kinds.includes('same')) return { kinds: taken, many };
  // A zip is unpacked before the next step and may contain anything.
  if (returns.kinds.includes('any') || returns.kinds.includes('zip')) return { kinds: undefined, many };
  return { kinds: chosenKinds(returns.kinds, step), many };
}

/** Of several kinds the one that a field of the step names. */
function chosenKinds(kinds: readonly string[], step: Step): readonly string[] {
  if (kinds.length === 1) return kinds;
  const same: Readonly<Record<string, string>> = { jpg: 'jpeg', tif: 'tiff' };
  const chosen = Object.values(step.form?.typed.value ?? {}).map((value) => same[String(value)] ?? String(value));
  const named = kinds.filter((kind) => chosen.includes(kind));
  return named.length > 0 ? named : kinds;
}
