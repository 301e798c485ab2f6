import type { Catalog, CatalogOperation } from '@quire/catalog';
import {
  fileReturns,
  holds,
  passwordsOf,
  type ConcreteKind,
  InputError,
  type FieldFault,
  type Principal,
} from '@quire/registry';
import { operationDisabled, type AvailabilityTable } from '../../access/index.js';
import {
  accepts,
  escapePointer,
  fieldNames,
  formFields,
  jsonFields,
  kindList,
  outputKind,
  validateParams,
  type ReplacedValue,
} from '../runner/index.js';
import { nearestName } from '../../settings/index.js';
import { invalid, isObject, nameOf, type PipelineDefinition } from './definition.js';
import { FaultList, withRest } from './fault-list.js';
import { pageFaults } from './page-faults.js';
import type { Expanded, InnerStep } from './saved-steps.js';
import { fillTemplates, hasTemplates, sampleFile, templateFaults, valuesIn } from './templates.js';

/** A checked step that can run. */
export interface VerifiedStep {
  readonly entry: CatalogOperation;
  readonly path: string;
  /** With placeholders, what they are for a sample file; `paramsFor` has them for a file. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Returns the parameters for a file of this name; throws INPUT_INVALID if its name does not fit into them. */
  readonly paramsFor?: (file: string) => Readonly<Record<string, unknown>>;
}

/** The result of checking a pipeline before it runs. */
export interface PipelineReport {
  readonly steps: readonly VerifiedStep[];
  readonly faults: readonly FieldFault[];
  /** Fields that a step's operation does not know. */
  readonly ignored: readonly FieldFault[];
  /** Values that another one replaces. */
  readonly replaced: readonly ReplacedValue[];
  /** How many more there are than the two lists contain. */
  readonly unlisted: { readonly faults: number; readonly ignored: number };
}

export interface VerifyDeps {
  readonly catalog: Catalog;
  readonly availability: AvailabilityTable;
  readonly maxSteps: number;
  /** Maximum number of values in the parameters of a step; each is a part of the form that the step becomes. */
  readonly maxParts: number;
  /** True if programs that are missing on this node do not matter. */
  readonly elsewhere?: boolean;
  mayCall(entry: CatalogOperation, principal: Principal): boolean;
}

/** First path segments of operations that may be steps (spec 4.2, rule 1). */
const stepPrefixes = ['general', 'misc', 'security', 'convert', 'filter', 'integration', 'docparse', 'ai/tools'];
const API = '/api/v1/';

/** The file types that may reach a step; undefined means any. */
type Reaching = ReadonlySet<ConcreteKind> | undefined;

/**
 * Checks a whole pipeline without reading a file: paths, parameters, second files, licence, programs, and whether each
 * step can ever receive a file.
 */
export function verifyPipeline(
  deps: VerifyDeps,
  definition: PipelineDefinition,
  principal: Principal,
  expanded = asWritten(definition),
): PipelineReport {
  const [faults, ignored] = [new FaultList(), new FaultList()];
  const replaced: ReplacedValue[] = [];
  for (const { pointer, detail } of expanded.faults) faults.add(pointer, detail);
  for (const { pointer, detail } of expanded.ignored) ignored.add(pointer, detail);
  const steps: VerifiedStep[] = [];
  const count = Math.max(definition.steps.length, expanded.steps.length);
  if (count > deps.maxSteps) faults.add('/pipeline', `has ${count} steps; the limit is ${deps.maxSteps}`);
  let reaching: Reaching;
  let lockedBy: number | undefined;
  // Steps beyond the limit are not checked; otherwise a definition with a million steps would return a million faults.
  for (const [index, inner] of expanded.steps.slice(0, deps.maxSteps).entries()) {
    const { at: pointer } = inner;
    const found: Found = { faults: placed(faults, inner), ignored: placed(ignored, inner), replaced };
    const step = verifyStep(deps, inner, principal, found);
    if (step === undefined) {
      // After an unknown step, any file type may follow.
      reaching = undefined;
      lockedBy = undefined;
      continue;
    }
    if (lockedBy !== undefined && needsOpen(step)) {
      faults.add(
        `${pointer}/operation`,
        `can never open its input: step ${lockedBy} locks it with a password; move this step before it, or ` +
          'remove the password in between',
      );
    }
    lockedBy = lockAfter(step, index, lockedBy);
    const kinds = kindsAfter(step, reaching);
    if (kinds === 'never') {
      faults.add(
        `${pointer}/operation`,
        `can never receive a file: it accepts ${kindList(step.entry.operation.accepts)}, and the steps ` +
          `before it return ${kindList([...(reaching ?? [])])}`,
      );
    }
    reaching = kinds === 'never' ? undefined : kinds;
    steps.push(step);
  }
  return {
    steps,
    faults: faults.listed,
    ignored: ignored.listed,
    replaced,
    unlisted: { faults: faults.unlisted, ignored: ignored.unlisted },
  };
}

/**
 * Returns PIPELINE_INVALID with the faults of a report; `strict`: ignored fields and replaced values count as faults
 * too.
 */
export function invalidReport({ faults, ignored, replaced, unlisted }: PipelineReport, strict: boolean): InputError {
  const listed = strict ? [...faults, ...ignored, ...asFaults(replaced)] : faults;
  const rest = unlisted.faults + (strict ? unlisted.ignored : 0);
  return invalid(withRest(listed, rest), listed.length + rest);
}

/** The steps of a definition, none of which is a saved pipeline. */
function asWritten({ steps, values }: PipelineDefinition): Expanded {
  const scopes = values === undefined ? [] : [values];
  return { steps: steps.map((raw, i) => ({ raw, at: `/pipeline/${i}`, scopes, within: [] })), faults: [], ignored: [] };
}

/** The list, in which faults inside of a saved pipeline stand at the step that names it. */
function placed(list: FaultList, { at, within }: InnerStep): Faults {
  if (within.length === 0) return list;
  return {
    add: (_, detail) => list.add(at, () => `${within.join(' → ')}: ${typeof detail === 'string' ? detail : detail()}`),
  };
}

type Faults = Pick<FaultList, 'add'>;

interface Found {
  readonly faults: Faults;
  readonly ignored: Faults;
  readonly replaced: ReplacedValue[];
}

/** Returns replaced values as they are reported. */
export function asFaults(replaced: readonly ReplacedValue[]): readonly FieldFault[] {
  return replaced.map(({ pointer, detail }) => ({ pointer, detail }));
}

function verifyStep(
  deps: VerifyDeps,
  { raw, at: pointer, scopes }: InnerStep,
  principal: Principal,
  { faults, ignored, replaced }: Found,
): VerifiedStep | undefined {
  const refuse = (at: string, detail: string): undefined => faults.add(at, detail) as undefined;
  if (!isObject(raw))
    return refuse(pointer, `a step must be an object with operation and parameters; found ${nameOf(raw)}`);
  const path = raw['operation'];
  if (typeof path !== 'string')
    return refuse(`${pointer}/operation`, `must be the path of an operation; found ${nameOf(path)}`);
  const entry = path.startsWith(API) ? deps.catalog.operations.get(path.slice(API.length)) : undefined;
  if (entry === undefined) return refuse(`${pointer}/operation`, unknownOperation(deps.catalog, path));
  const refused = refusal(deps, entry, principal);
  if (refused !== undefined) return refuse(`${pointer}/operation`, refused);

  const given = raw['parameters'] ?? {};
  const at = `${pointer}/parameters`;
  if (!isObject(given)) return refuse(at, `must be an object of form fields; found ${nameOf(given)}`);
  if (hasMoreParts(given, jsonFields(entry), deps.maxParts))
    return refuse(at, `has more than ${deps.maxParts} values, the most that a step may have (limits.maxParts)`);
  const templates = scopes.length === 0 ? undefined : templatesOf(entry, given, at, scopes, faults);
  const checked = validateParams(
    entry,
    formFields(entry, templates?.sample ?? given, at, (pointer, detail) => faults.add(pointer, detail)),
    at,
  );
  replaced.push(...checked.replaced);
  for (const fault of checked.faults) faults.add(fault.pointer, fault.detail);
  if (checked.faults.length === 0)
    for (const fault of pageFaults(entry, checked.params)) faults.add(`${at}${fault.pointer}`, fault.detail);
  for (const part of entry.operation.parts ?? []) {
    if (holds(part.requiredWhen, checked.params))
      faults.add(
        `${at}/${escapePointer(part.field)}`,
        `needs a second file (${part.field}) with these parameters, which a pipeline step cannot have; call ` +
          `${path} directly`,
      );
  }
  const known = [...fieldNames(entry), ...Object.keys(entry.operation.aliases ?? {})];
  for (const name of checked.ignored)
    ignored.add(`${at}/${escapePointer(name)}`, () => {
      const near = nearestName(name, known);
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      return `${name.slice(0, 200)} is not a field of this operation and is ignored${hint}`;
    });
  return {
    entry,
    path,
    params: checked.params,
    ...(templates === undefined ? {} : { paramsFor: templates.paramsFor }),
  };
}

/** Returns what placeholders in the parameters of a step become; undefined if there are none, or one means nothing. */
function templatesOf(
  entry: CatalogOperation,
  given: Readonly<Record<string, unknown>>,
  at: string,
  scopes: InnerStep['scopes'],
  faults: Faults,
):
  | { readonly sample: Record<string, unknown>; readonly paramsFor: (file: string) => VerifiedStep['params'] }
  | undefined {
  const unknown = templateFaults(given, at, scopes.at(-1) ?? {});
  for (const { pointer, detail } of unknown) faults.add(pointer, detail);
  if (unknown.length > 0 || !hasTemplates(given)) return undefined;
  // One time for the whole run.
  const now = new Date();
  const filled = (file: string): Record<string, unknown> =>
    fillTemplates(given, { file, at: now, values: valuesIn(scopes, { file, at: now }) }) as Record<string, unknown>;
  return {
    sample: filled(sampleFile),
    paramsFor(file) {
      const { params, faults: wrong } = validateParams(
        entry,
        formFields(entry, filled(file), '', () => undefined),
      );
      if (wrong.length > 0)
        throw new InputError('INPUT_INVALID', { detail: wrong.map(({ detail }) => detail).join('; ') }, wrong);
      return params;
    },
  };
}

/**
 * True if the form that a step becomes has more parts than allowed. A JSON value is one part; each item of a list and
 * each named text is one.
 */
function hasMoreParts(given: Readonly<Record<string, unknown>>, jsons: ReadonlySet<string>, most: number): boolean {
  let count = 0;
  for (const name in given) {
    const value = given[name];
    const many = typeof value === 'object' && value !== null && !jsons.has(name);
    count += many ? Math.max(1, Object.keys(value).length) : 1;
    if (count > most) return true;
  }
  return false;
}

function unknownOperation(catalog: Catalog, path: string): string {
  const bare = path.startsWith(API) ? path.slice(API.length) : path.replace(/^\/+/, '');
  const names = [...catalog.operations.keys()];
  const sameTail = names.find((name) => name.split('/').at(-1) === bare || name === bare);
  const near = sameTail ?? nearestName(bare, names);
  const hint = near === undefined ? '' : `; did you mean ${API}${near}?`;
  if (!path.startsWith(API)) return `"${path.slice(0, 120)}" is not a full path (${API}<category>/<operation>)${hint}`;
  return `"${path.slice(0, 120)}" is not an operation of this server${hint}`;
}

/** Returns the operations that this caller may use as steps now. Those that always need a second file are left out. */
export function stepsFor(deps: VerifyDeps, principal: Principal): CatalogOperation[] {
  return [...deps.catalog.operations.values()].filter(
    (entry) =>
      refusal(deps, entry, principal) === undefined &&
      !(entry.operation.parts ?? []).some(({ requiredWhen }) => requiredWhen === 'always'),
  );
}

function refusal(deps: VerifyDeps, entry: CatalogOperation, principal: Principal): string | undefined {
  const { path, pipeline } = entry.operation;
  if (pipeline === false || !stepPrefixes.some((prefix) => path.startsWith(`${prefix}/`)))
    return `${API}${path} cannot be a pipeline step`;
  if (!deps.mayCall(entry, principal)) return `${API}${path} is not allowed for this caller or licence`;
  const found = deps.availability.of(entry);
  const { reason, missing } = found;
  if (reason === 'CONFIG') return operationDisabled(path, found).message;
  if (reason === 'DEPENDENCY' && deps.elsewhere !== true)
    return `${API}${path} needs ${missing.join(', ')}, which is not installed on the server`;
  return undefined;
}

/** True for a step that opens its input and has no password for it. */
function needsOpen({ entry: { operation }, params }: VerifiedStep): boolean {
  return operation.input !== 'raw' && passwordsOf(operation, params).input === undefined;
}

/** Returns the step that locked all output of this step; undefined if none is known. */
function lockAfter(step: VerifiedStep, index: number, before: number | undefined): number | undefined {
  const { operation } = step.entry;
  if (passwordsOf(operation, step.params).result !== undefined) return index;
  return operation.input === 'raw' && fileReturns(operation)?.kind === 'same' ? before : undefined;
}

/** Returns the file types that a step passes on, or `never` if it accepts nothing that reaches it. */
function kindsAfter({ entry, params }: VerifiedStep, reaching: Reaching): Reaching | 'never' {
  const { operation } = entry;
  const taken = reaching === undefined ? undefined : [...reaching].filter((kind) => accepts(operation.accepts, kind));
  if (taken !== undefined && taken.length === 0) return 'never';
  const returns = fileReturns(operation);
  if (returns === undefined) return new Set(['json']);
  if (returns.kind === 'same') {
    if (taken !== undefined) return taken.includes('zip') ? undefined : new Set(taken);
    return operation.accepts.includes('any') ? undefined : new Set(operation.accepts as ConcreteKind[]);
  }
  if (returns.kind === 'any') return undefined;
  const kind = outputKind(returns, params, 'bin');
  // A zip is unpacked before the next step and may contain anything.
  if (kind === 'zip') return undefined;
  // A bundle is passed on whole or as its members, whichever the next step accepts.
  const bundled =
    returns.many?.unpack === 'onDemand' && (returns.many.when === undefined || holds(returns.many.when, params));
  return new Set(bundled ? [kind, 'zip'] : [kind]);
}
