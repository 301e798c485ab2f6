import type { ShownOperation } from '@quire/registry';
import type { Step } from './step.ts';

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

const ANY: Flowing = { kinds: undefined, many: false };

/** The kinds of files along the steps, as the catalog declares them. The server's check decides. */
export function flowOf(steps: readonly Step[]): ReadonlyMap<Step, StepFlow> {
  const flows = new Map<Step, StepFlow>();
  let before: Flowing = ANY;
  for (const step of steps) {
    const { operation } = step;
    if (!step.enabled.value) {
      flows.set(step, { before, after: before, refused: false });
      continue;
    }
    const taken = operation === undefined ? undefined : takenBy(operation, before.kinds);
    const refused = taken !== undefined && taken.length === 0;
    const after = operation === undefined || refused ? ANY : given(operation, step, taken, before.many);
    flows.set(step, { before, after, refused });
    before = after;
  }
  return flows;
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
