import type { Catalog } from '@quire/catalog';
import { InputError, type FieldFault } from '@quire/registry';
import {
  inputsUsed,
  isObject,
  isSecretParameter,
  mapSteps,
  pathOf,
  stepsWithin,
  type FoundStep,
  type WrittenStep,
} from '../operations/pipelines/index.js';
import { escapePointer } from '../operations/runner/index.js';
import { mask } from '../settings/index.js';
import { placeOf } from './declared-inputs.js';
import type { InputDeclaration, PipelineContent } from './model.js';

type Operations = Pick<Catalog, 'operations'>;

/** Steps with a mask in place of each secret. */
export function maskSteps(catalog: Operations, steps: readonly unknown[]): readonly unknown[] {
  return mapSteps(steps, (step) => maskedStep(catalog, step));
}

/**
 * Steps as they are sent, with the stored secrets in place of their masks. A step that was changed or moved is found
 * again if it is the only one that fits. `lost` gets the pointer of each mask that stands for nothing, which stays.
 */
export function keepSteps(
  catalog: Operations,
  sent: readonly unknown[],
  stored: readonly unknown[],
  lost: (pointer: string) => void,
): readonly unknown[] {
  const before = stepsWithin(stored);
  return mapSteps(sent, (step, pointer) => {
    const parameters = parametersOf(step);
    const masked = Object.keys(parameters).filter(
      (name) => parameters[name] === mask && isSecretParameter(catalog, pathOf(step), name),
    );
    if (masked.length === 0) return step;
    const from = parametersOf(counterpart(catalog, before, { step, pointer })?.step ?? {});
    const restored = masked.flatMap((name) => {
      if (Object.hasOwn(from, name)) return [[name, from[name]] as const];
      lost(`${pointer}/parameters/${escapePointer(name)}`);
      return [];
    });
    return { ...step, parameters: { ...parameters, ...Object.fromEntries(restored) } };
  });
}

/** The secrets in steps, as texts. */
export function secretsWithin(catalog: Operations, steps: readonly unknown[]): readonly string[] {
  return stepsWithin(steps).flatMap(({ step }) =>
    Object.entries(parametersOf(step)).flatMap(([name, value]) =>
      isSecret(value) && isSecretParameter(catalog, pathOf(step), name) ? [String(value)] : [],
    ),
  );
}

/** A pipeline with a mask in place of each secret, as everybody sees it. */
export function maskSecrets(catalog: Operations, content: PipelineContent): PipelineContent {
  const steps = content.definition.pipeline;
  return {
    ...content,
    definition: { ...content.definition, pipeline: maskSteps(catalog, steps) },
    inputs: content.inputs.map((input) =>
      isSecretInput(catalog, steps, input) && isSecret(input.default) ? { ...input, default: mask } : input,
    ),
  };
}

/**
 * A pipeline as it is sent, with the stored secrets in place of their masks. Throws PIPELINE_INVALID for a mask that
 * stands for nothing.
 */
export function keepSecrets(
  catalog: Operations,
  sent: PipelineContent,
  stored: PipelineContent | undefined,
): PipelineContent {
  const faults: FieldFault[] = [];
  const lost = (pointer: string): void => void faults.push({ pointer, detail: LOST });
  const pipeline = keepSteps(catalog, sent.definition.pipeline, stored?.definition.pipeline ?? [], (pointer) =>
    lost(`/definition${pointer}`),
  );
  const inputs = sent.inputs.map((input, i) => {
    if (input.default !== mask || !isSecretInput(catalog, sent.definition.pipeline, input)) return input;
    const same = stored?.inputs.find(({ name, field }) => name === input.name && field === input.field);
    if (same?.default === undefined) lost(`/inputs/${i}/default`);
    return { ...input, default: same?.default };
  });
  if (faults.length > 0) {
    const [first] = faults;
    const count = faults.length > 1 && faults.length;
    throw new InputError('PIPELINE_INVALID', { first: `${first?.pointer} ${first?.detail}`, count }, faults);
  }
  return { ...sent, definition: { ...sent.definition, pipeline }, inputs };
}

const LOST = 'is masked, and nothing is stored that the mask could stand for; enter the value';

/** The stored step of a step that was sent: the only one that looks the same, else the one at its place. */
function counterpart(
  catalog: Operations,
  before: readonly FoundStep[],
  { step, pointer }: FoundStep,
): FoundStep | undefined {
  const candidates = before.filter((found) => pathOf(found.step) === pathOf(step));
  const looks = (one: WrittenStep): string => JSON.stringify(Object.entries(parametersOf(one)).sort());
  const wanted = looks(maskedStep(catalog, step));
  const [alike, ...more] = candidates.filter((found) => looks(maskedStep(catalog, found.step)) === wanted);
  if (alike !== undefined && more.length === 0) return alike;
  return candidates.find((found) => found.pointer === pointer);
}

function maskedStep(catalog: Operations, step: WrittenStep): WrittenStep {
  const parameters = parametersOf(step);
  const secret = Object.entries(parameters).filter(
    ([name, value]) => isSecret(value) && isSecretParameter(catalog, pathOf(step), name),
  );
  if (secret.length === 0) return step;
  return { ...step, parameters: { ...parameters, ...Object.fromEntries(secret.map(([name]) => [name, mask])) } };
}

/** A text or number that is no placeholder for an input, which holds no secret itself. */
function isSecret(value: unknown): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value !== '' && inputsUsed(value).length === 0;
}

function isSecretInput(
  catalog: Operations,
  steps: readonly unknown[],
  { field = '' }: Pick<InputDeclaration, 'field'>,
): boolean {
  const place = placeOf(field);
  const found = stepsWithin(steps).find(({ pointer }) => pointer === place?.step);
  return place !== undefined && found !== undefined && isSecretParameter(catalog, pathOf(found.step), place.field);
}

function parametersOf({ parameters }: WrittenStep): Readonly<Record<string, unknown>> {
  return isObject(parameters) ? parameters : {};
}
