import type { Catalog, CatalogOperation } from '@quire/catalog';
import { InputError, type Principal } from '@quire/registry';
import { operationDisabled, type AvailabilityTable } from '../../access/index.js';
import {
  escapePointer,
  fieldNames,
  formFields,
  jsonFields,
  validateParams,
  type ReplacedValue,
} from '../runner/index.js';
import { mask, nearestName } from '../../settings/index.js';
import { isObject, nameOf, unknownMembers } from './definition.js';
import type { FaultList } from './fault-list.js';
import type { VerifiedStep } from './flow/model.js';
import type { Place } from './flow/placed-steps.js';
import { noStepFiles, partsOf, type StepFiles } from './step-files.js';
import { isSecretParameter } from './step-secrets.js';
import { pageFaults } from './page-faults.js';
import {
  fillTemplates,
  hasTemplates,
  type NamedFile,
  needsInvoice,
  type PerFile,
  sampleFile,
  templateFaults,
  valuesIn,
} from './templates.js';

export interface VerifyDeps {
  readonly catalog: Catalog;
  readonly availability: AvailabilityTable;
  readonly maxSteps: number;
  /** Maximum number of values in the parameters of a step; each is a part of the form that the step becomes. */
  readonly maxParts: number;
  /** True if programs that are missing on this node do not matter. */
  readonly elsewhere?: boolean;
  /** The stored files that its steps name and the caller may use. */
  readonly files?: StepFiles;
  /** Why the caller may not use an operation, as a sentence; undefined if they may. */
  whyNot(entry: CatalogOperation, principal: Principal): string | undefined;
}

const API = '/api/v1/';
/** Members of a step with an operation. */
const MEMBERS = ['operation', 'parameters', 'fileParameters', 'onError', 'name'];

export type Faults = Pick<FaultList, 'add'>;

export interface Found {
  readonly faults: Faults;
  readonly ignored: Faults;
  /** Masks in place of secrets: no faults of a definition that is saved, but it cannot run with them. */
  readonly masked: Faults;
  readonly replaced: ReplacedValue[];
}

/** A step to check, or a filter that is a condition. */
interface AskedStep extends Place {
  readonly raw: unknown;
  /** The member with the path. */
  readonly member?: 'operation' | 'filter';
}

/** Checks a step, or a filter that is a condition. Undefined for one whose results cannot be followed. */
export function verifyStep(
  deps: VerifyDeps,
  { raw, at: pointer, scopes, within, depth, member = 'operation' }: AskedStep,
  principal: Principal,
  { faults, ignored, masked, replaced }: Found,
): VerifiedStep | undefined {
  const refuse = (at: string, detail: string): undefined => faults.add(at, detail) as undefined;
  if (!isObject(raw))
    return refuse(pointer, `a step must be an object with operation and parameters; found ${nameOf(raw)}`);
  const path = raw[member];
  if (typeof path !== 'string')
    return refuse(`${pointer}/${member}`, `must be the path of an operation; found ${nameOf(path)}`);
  const entry = path.startsWith(API) ? deps.catalog.operations.get(path.slice(API.length)) : undefined;
  if (entry === undefined) return refuse(`${pointer}/${member}`, unknownOperation(deps.catalog, path));
  const refused = refusal(deps, entry, principal);
  if (refused !== undefined) return refuse(`${pointer}/${member}`, refused);

  const given = raw['parameters'] ?? {};
  const at = `${pointer}/parameters`;
  if (!isObject(given)) return refuse(at, `must be an object of form fields; found ${nameOf(given)}`);
  if (hasMoreParts(given, jsonFields(entry), deps.maxParts))
    return refuse(at, `has more than ${deps.maxParts} values, the most that a step may have (limits.maxParts)`);
  for (const name of Object.keys(given).filter((each) => given[each] === mask))
    if (isSecretParameter(deps.catalog, path, name))
      masked.add(`${at}/${escapePointer(name)}`, `is the mask of a secret (${mask}); enter the secret itself`);
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
  const files = deps.files ?? noStepFiles;
  const parts = partsOf(entry, raw['fileParameters'], { at: pointer, params: checked.params, files }, faults);
  if (member === 'operation')
    for (const fault of unknownMembers(raw, MEMBERS, pointer, 'a step')) ignored.add(fault.pointer, fault.detail);
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
    at: pointer,
    within,
    depth,
    params: checked.params,
    parts,
    ...(templates === undefined ? {} : { paramsFor: templates.paramsFor }),
  };
}

/** Returns what placeholders in the parameters of a step become; undefined if there are none, or one means nothing. */
function templatesOf(
  entry: CatalogOperation,
  given: Readonly<Record<string, unknown>>,
  at: string,
  scopes: Place['scopes'],
  faults: Faults,
): { readonly sample: Record<string, unknown>; readonly paramsFor: PerFile<VerifiedStep['params']> } | undefined {
  const unknown = templateFaults(given, at, scopes.at(-1) ?? {});
  for (const { pointer, detail } of unknown) faults.add(pointer, detail);
  if (unknown.length > 0 || !hasTemplates(given)) return undefined;
  // One time for the whole run.
  const now = new Date();
  const filled = (file: NamedFile): Record<string, unknown> =>
    fillTemplates(given, { file, at: now, values: valuesIn(scopes, { file, at: now }) }) as Record<string, unknown>;
  return {
    sample: filled(sampleFile),
    paramsFor: {
      needsInvoice: needsInvoice(given, scopes),
      of(file) {
        const { params, faults: wrong } = validateParams(
          entry,
          formFields(entry, filled(file), '', () => undefined),
        );
        if (wrong.length > 0)
          throw new InputError('INPUT_INVALID', { detail: wrong.map(({ detail }) => detail).join('; ') }, wrong);
        return params;
      },
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
  if (pipeline === false) return `${API}${path} cannot be a pipeline step`;
  const whyNot = deps.whyNot(entry, principal);
  if (whyNot !== undefined) return `${API}${path} is not allowed for this caller. ${whyNot}`;
  const found = deps.availability.of(entry);
  const { reason, missing } = found;
  if (reason === 'CONFIG') return operationDisabled(path, found).message;
  if (reason === 'DEPENDENCY' && deps.elsewhere !== true)
    return `${API}${path} needs ${missing.join(', ')}, which is not installed on the server`;
  return undefined;
}
