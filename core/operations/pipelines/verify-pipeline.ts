import type { Catalog, CatalogOperation } from '@quire/catalog';
import { fileReturns, holds, passwordsOf, type ConcreteKind, type FieldFault, type Principal } from '@quire/registry';
import { operationDisabled, type AvailabilityTable } from '../../access/index.js';
import {
  accepts,
  escapePointer,
  jsonFields,
  kindList,
  mapFields,
  outputKind,
  validateParams,
} from '../runner/index.js';
import { nearestName } from '../../settings/index.js';
import { isObject, nameOf, type PipelineDefinition } from './definition.js';

/** A checked step that can run. */
export interface VerifiedStep {
  readonly entry: CatalogOperation;
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The result of checking a pipeline before it runs. */
export interface PipelineReport {
  readonly steps: readonly VerifiedStep[];
  readonly faults: readonly FieldFault[];
  /** Fields that a step's operation does not know. */
  readonly ignored: readonly FieldFault[];
}

export interface VerifyDeps {
  readonly catalog: Catalog;
  readonly availability: AvailabilityTable;
  readonly maxSteps: number;
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
export function verifyPipeline(deps: VerifyDeps, definition: PipelineDefinition, principal: Principal): PipelineReport {
  const faults: FieldFault[] = [];
  const ignored: FieldFault[] = [];
  const steps: VerifiedStep[] = [];
  if (definition.steps.length > deps.maxSteps)
    faults.push({
      pointer: '/pipeline',
      detail: `has ${definition.steps.length} steps; the limit is ${deps.maxSteps}`,
    });
  let reaching: Reaching;
  let lockedBy: number | undefined;
  // Steps beyond the limit are not checked; otherwise a definition with a million steps would return a million faults.
  for (const [index, raw] of definition.steps.slice(0, deps.maxSteps).entries()) {
    const pointer = `/pipeline/${index}`;
    const found = verifyStep(deps, raw, pointer, principal);
    faults.push(...found.faults);
    ignored.push(...found.ignored);
    if (found.step === undefined) {
      // After an unknown step, any file type may follow.
      reaching = undefined;
      lockedBy = undefined;
      continue;
    }
    if (lockedBy !== undefined && needsOpen(found.step)) {
      faults.push({
        pointer: `${pointer}/operation`,
        detail:
          `can never open its input: step ${lockedBy} locks it with a password; move this step before it, or ` +
          'remove the password in between',
      });
    }
    lockedBy = lockAfter(found.step, index, lockedBy);
    const kinds = kindsAfter(found.step, reaching);
    if (kinds === 'never') {
      const names = kindList([...(reaching ?? [])]);
      faults.push({
        pointer: `${pointer}/operation`,
        detail:
          `can never receive a file: it accepts ${kindList(found.step.entry.operation.accepts)}, and the steps ` +
          `before it return ${names}`,
      });
    }
    reaching = kinds === 'never' ? undefined : kinds;
    steps.push(found.step);
  }
  return { steps, faults, ignored };
}

function verifyStep(
  deps: VerifyDeps,
  raw: unknown,
  pointer: string,
  principal: Principal,
): { step?: VerifiedStep; faults: FieldFault[]; ignored: FieldFault[] } {
  const none = { ignored: [] };
  if (!isObject(raw))
    return {
      ...none,
      faults: [{ pointer, detail: `a step must be an object with operation and parameters; found ${nameOf(raw)}` }],
    };
  const path = raw['operation'];
  if (typeof path !== 'string')
    return {
      ...none,
      faults: [{ pointer: `${pointer}/operation`, detail: `must be the path of an operation; found ${nameOf(path)}` }],
    };
  const entry = path.startsWith(API) ? deps.catalog.operations.get(path.slice(API.length)) : undefined;
  if (entry === undefined)
    return { ...none, faults: [{ pointer: `${pointer}/operation`, detail: unknownOperation(deps.catalog, path) }] };
  const refused = refusal(deps, entry, principal);
  if (refused !== undefined) return { ...none, faults: [{ pointer: `${pointer}/operation`, detail: refused }] };

  const given = raw['parameters'] ?? {};
  const at = `${pointer}/parameters`;
  if (!isObject(given))
    return { ...none, faults: [{ pointer: at, detail: `must be an object of form fields; found ${nameOf(given)}` }] };
  const faults: FieldFault[] = [];
  const fields = asFormFields(given, at, entry, faults);
  const checked = validateParams(entry, fields, at);
  faults.push(...checked.faults);
  for (const part of entry.operation.parts ?? []) {
    if (holds(part.requiredWhen, checked.params))
      faults.push({
        pointer: `${at}/${escapePointer(part.field)}`,
        detail:
          `needs a second file (${part.field}) with these parameters, which a pipeline step cannot have; call ` +
          `${path} directly`,
      });
  }
  const known = Object.keys((entry.schema.describe() as { keys?: object }).keys ?? {});
  const ignored = checked.ignored.map((name) => {
    const near = nearestName(name, [...known, ...Object.keys(entry.operation.aliases ?? {})]);
    return {
      pointer: `${at}/${escapePointer(name)}`,
      detail:
        `${name} is not a field of this operation and is ` +
        `ignored${near === undefined ? '' : `; did you mean ${near}?`}`,
    };
  });
  return { step: { entry, path, params: checked.params }, faults, ignored };
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

/**
 * Converts step parameters to form fields: text, lists as repeated fields, named texts and JSON values as JSON; null is
 * left out and fileInput is ignored (spec 2.1).
 */
function asFormFields(
  given: Readonly<Record<string, unknown>>,
  at: string,
  entry: CatalogOperation,
  faults: FieldFault[],
): Record<string, unknown> {
  const [maps, jsons] = [mapFields(entry), jsonFields(entry)];
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(given)) {
    if (name === 'fileInput' || value === null) continue;
    if ((maps.has(name) && isObject(value)) || (jsons.has(name) && typeof value === 'object')) {
      fields[name] = JSON.stringify(value);
      continue;
    }
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (values.some((item) => typeof item === 'object')) {
      faults.push({
        pointer: `${at}/${escapePointer(name)}`,
        detail: 'must be text, a number, true or false, or a list of these',
      });
      continue;
    }
    const texts = values.map((item) => String(item));
    fields[name] = Array.isArray(value) ? texts : texts[0];
  }
  return fields;
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
