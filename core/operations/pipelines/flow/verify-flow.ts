import type { FileKind, Principal } from '@quire/registry';
import { isObject } from '../definition.js';
import type { FaultList } from '../fault-list.js';
import { verifyStep, type Faults, type Found, type VerifyDeps } from '../verify-step.js';
import type { ReplacedValue } from '../../runner/index.js';
import type { Condition, VerifiedNode, VerifiedStep } from './model.js';
import { findLocked, split } from './narrowing.js';
import type { InnerSteps, Place, PlacedStep } from './placed-steps.js';
import { readCondition } from './read-condition.js';
import { readOptions } from './step-options.js';
import { anything, joined, outOf, throughStep, type Streams } from './streams.js';

/** A check of a pipeline, and what it has found so far. */
export interface FlowCheck {
  readonly deps: VerifyDeps;
  readonly principal: Principal;
  readonly faults: FaultList;
  readonly ignored: FaultList;
  readonly masked: FaultList;
  readonly replaced: ReplacedValue[];
  /** Every operation, filters of conditions among them, in the order in which they are written. */
  readonly steps: VerifiedStep[];
  /** How many steps may still be checked; a definition with a million steps must not return a million faults. */
  left: number;
}

interface Followed {
  readonly nodes: readonly VerifiedNode[];
  /** The files that come out. */
  readonly after: Streams;
}

/** Checks steps in order, and follows the file types that reach each. */
export function verifySteps(check: FlowCheck, steps: readonly PlacedStep[], before: Streams = anything): Followed {
  const nodes: VerifiedNode[] = [];
  let after = before;
  for (const step of steps) {
    if (check.left <= 0) break;
    if (step.inner?.form !== 'saved') check.left--;
    const followed = verifyNode(check, step, after);
    nodes.push(...followed.nodes);
    ({ after } = followed);
  }
  return { nodes, after };
}

/** The file types that the first step of each way accepts. */
export function acceptedFirst([first]: readonly VerifiedNode[]): readonly FileKind[] {
  if (first === undefined) return ['any'];
  switch (first.type) {
    case 'step':
      return first.step.entry.operation.accepts;
    case 'if':
      return [...acceptedFirst(first.then), ...acceptedFirst(first.else)];
    case 'parallel':
      return first.branches.flatMap(acceptedFirst);
    default:
      return acceptedFirst(first.steps);
  }
}

function verifyNode(check: FlowCheck, step: PlacedStep, before: Streams): Followed {
  const found = foundAt(check, step);
  const options = readOptions(step, (pointer, detail) => found.faults.add(pointer, detail));
  const followed =
    step.inner === undefined
      ? verifyOperation(check, step, before, found)
      : verifyInner(check, step, step.inner, before, found);
  const nodes = followed.nodes.map((node) => ({ ...node, ...options }));
  return options.onError === 'continue'
    ? { nodes, after: joined([...followed.after, ...outOf(before, `${step.at}/onError`)]) }
    : { nodes, after: followed.after };
}

function verifyOperation(check: FlowCheck, placed: PlacedStep, before: Streams, found: Found): Followed {
  const step = verifyStep(check.deps, placed, check.principal, found);
  // After an unknown step, any file type may follow.
  if (step === undefined) return { nodes: [], after: anything };
  const index = check.steps.push(step) - 1;
  const { at } = placed;
  const label = placed.depth > 0 && placed.within.length === 0 ? `the step at ${at}` : `step ${index}`;
  const after = throughStep(before, step, label, (detail) => found.faults.add(`${at}/operation`, detail));
  return { nodes: [{ type: 'step', at, step, index, onError: 'stop' }], after };
}

function verifyInner(check: FlowCheck, placed: PlacedStep, inner: InnerSteps, before: Streams, found: Found): Followed {
  const { at } = placed;
  switch (inner.form) {
    case 'if':
      return verifyBranches(check, placed, inner, before, found);
    case 'parallel': {
      const ways = inner.branches.map((branch, i) => {
        const { nodes, after } = verifySteps(check, branch, before);
        return { nodes, after: outOf(after, `${at}/parallel/${i}`) };
      });
      return {
        nodes: [{ type: 'parallel', at, branches: ways.map(({ nodes }) => nodes), onError: 'stop' }],
        after: joined(ways.flatMap(({ after }) => after)),
      };
    }
    case 'each':
    case 'saved': {
      const { nodes, after } = verifySteps(check, inner.steps, before);
      return { nodes: [{ type: inner.form, at, steps: nodes, onError: 'stop' }], after };
    }
  }
}

function verifyBranches(
  check: FlowCheck,
  placed: PlacedStep,
  inner: Extract<InnerSteps, { form: 'if' }>,
  before: Streams,
  { faults }: Found,
): Followed {
  const { at, raw } = placed;
  const condition = conditionOf(check, placed, isObject(raw) ? raw['if'] : undefined, faults);
  const { yes, no } = condition === undefined ? { yes: before, no: before } : split(before, condition);
  if (condition !== undefined) {
    findLocked(before, condition, (by) =>
      faults.add(`${at}/if`, `can never open its input: ${by} locks it with a password; ask for "locked" first`),
    );
    if (yes.length === 0) faults.add(`${at}/if`, 'can never be true for the files that reach it');
    if (no.length === 0 && inner.else.length > 0)
      faults.add(`${at}/if`, 'can never be false for the files that reach it, so nothing reaches else');
  }
  const then = verifySteps(check, inner.then, yes.length === 0 ? anything : yes);
  const otherwise = verifySteps(check, inner.else, no.length === 0 ? anything : no);
  const after = [
    ...(yes.length === 0 ? [] : outOf(then.after, `${at}/then`)),
    ...(no.length === 0 ? [] : outOf(otherwise.after, `${at}/else`)),
  ];
  return {
    nodes:
      condition === undefined
        ? []
        : [{ type: 'if', at, condition, then: then.nodes, else: otherwise.nodes, onError: 'stop' }],
    after: after.length === 0 ? anything : joined(after),
  };
}

function conditionOf(check: FlowCheck, placed: PlacedStep, raw: unknown, faults: Faults): Condition | undefined {
  const { at, scopes, within, depth } = placed;
  return readCondition(raw, `${at}/if`, {
    place: placed,
    fault: (pointer, detail) => faults.add(pointer, detail),
    filter: (filter, pointer) => {
      const place: Place = { at: pointer, scopes, within, depth: depth + 1 };
      const found = { ...foundAt(check, placed), faults };
      const step = verifyStep(check.deps, { ...place, raw: filter, member: 'filter' }, check.principal, found);
      return step === undefined ? undefined : { step, index: check.steps.push(step) - 1 };
    },
  });
}

function foundAt(check: FlowCheck, place: Place): Found {
  const { faults, ignored, masked, replaced } = check;
  const listed = (list: FaultList): Faults => placedFaults(list, place);
  return { faults: listed(faults), ignored: listed(ignored), masked: listed(masked), replaced };
}

/** Reports errors inside a saved pipeline at the step that names it. */
function placedFaults(list: FaultList, { at, within }: Place): Faults {
  if (within.length === 0) return list;
  return {
    add: (_, detail) => list.add(at, () => `${within.join(' → ')}: ${typeof detail === 'string' ? detail : detail()}`),
  };
}
