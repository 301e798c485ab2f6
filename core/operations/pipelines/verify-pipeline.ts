import type { FieldFault, FileKind, InputError, Principal } from '@quire/registry';
import type { ReplacedValue } from '../runner/index.js';
import { invalid, type PipelineDefinition } from './definition.js';
import { FaultList, withRest } from './fault-list.js';
import type { VerifiedNode, VerifiedStep } from './flow/model.js';
import { findMultiplied } from './flow/multiplied.js';
import { countSteps } from './flow/placed-steps.js';
import { acceptedFirst, verifySteps, type FlowCheck } from './flow/verify-flow.js';
import { asWritten, type Expanded } from './saved-steps.js';
import type { VerifyDeps } from './verify-step.js';

/** The result of checking a pipeline before it runs. */
export interface PipelineReport {
  /** Every operation in the order in which they are written, also those in branches and conditions. */
  readonly steps: readonly VerifiedStep[];
  /** How files go through them. */
  readonly flow: readonly VerifiedNode[];
  /** File types that the pipeline can begin with. */
  readonly accepts: readonly FileKind[];
  readonly faults: readonly FieldFault[];
  /** Fields that a step's operation does not know, and members that steps and pipelines do not have. */
  readonly ignored: readonly FieldFault[];
  /** Masks in place of secrets: it can be saved, as they stand for stored ones, and cannot run with them. */
  readonly masked: readonly FieldFault[];
  /** Values that another one replaces. */
  readonly replaced: readonly ReplacedValue[];
  /** How many more there are than the two lists contain. */
  readonly unlisted: { readonly faults: number; readonly ignored: number };
}

/**
 * Checks a whole pipeline without reading a file: paths, parameters, second files, licence, programs, conditions, and
 * whether each step can ever receive a file from every branch before it.
 */
export function verifyPipeline(
  deps: VerifyDeps,
  definition: PipelineDefinition,
  principal: Principal,
  expanded: Expanded = asWritten(definition),
): PipelineReport {
  const [faults, ignored, masked] = [new FaultList(), new FaultList(), new FaultList()];
  for (const { pointer, detail } of expanded.faults) faults.add(pointer, detail);
  for (const { pointer, detail } of [...(definition.ignored ?? []), ...expanded.ignored]) ignored.add(pointer, detail);
  const count = Math.max(definition.steps.length, countSteps(expanded.steps));
  if (count > deps.maxSteps) faults.add('/pipeline', `has ${count} steps; the limit is ${deps.maxSteps}`);
  const check: FlowCheck = { deps, principal, faults, ignored, masked, replaced: [], steps: [], left: deps.maxSteps };
  const { nodes: flow } = verifySteps(check, expanded.steps);
  findMultiplied(flow, (pointer, detail) => faults.add(pointer, detail));
  return {
    steps: check.steps,
    flow,
    accepts: acceptedFirst(flow),
    faults: faults.listed,
    ignored: ignored.listed,
    masked: masked.listed,
    replaced: check.replaced,
    unlisted: { faults: faults.unlisted, ignored: ignored.unlisted },
  };
}

/**
 * Returns PIPELINE_INVALID with the faults of a report; `strict`: ignored fields and replaced values count as faults
 * too.
 */
export function invalidReport(
  { faults, ignored, replaced, unlisted }: Pick<PipelineReport, 'faults' | 'ignored' | 'replaced' | 'unlisted'>,
  strict: boolean,
): InputError {
  const listed = strict ? [...faults, ...ignored, ...asFaults(replaced)] : faults;
  const rest = unlisted.faults + (strict ? unlisted.ignored : 0);
  return invalid(withRest(listed, rest), listed.length + rest);
}

/** Returns replaced values as they are reported. */
export function asFaults(replaced: readonly ReplacedValue[]): readonly FieldFault[] {
  return replaced.map(({ pointer, detail }) => ({ pointer, detail }));
}
