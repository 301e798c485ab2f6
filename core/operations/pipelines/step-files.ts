import type { CatalogOperation } from '@quire/catalog';
import { holds, kindName, type ConcreteKind, type Principal } from '@quire/registry';
import { accepts, escapePointer, kindList } from '../runner/index.js';
import { isObject, nameOf } from './definition.js';
import type { FaultList } from './fault-list.js';
import { stepsWithin } from './flow/map-steps.js';
import { listsIn, type PlacedStep } from './flow/placed-steps.js';

/** How `fileParameters` name a stored file: `asset:` and its id. */
const REFERENCE = /^asset:([0-9a-f]{32})$/;

/** A file of the server that steps receive beside the file they work on: a stamp, a certificate. */
export interface StepFile {
  readonly id: string;
  readonly name: string;
  readonly kind: ConcreteKind;
  /** In bytes. */
  readonly size: number;
  /** Writes it to a new path. Throws NOT_FOUND when it was deleted. */
  copyTo(path: string): Promise<void>;
}

/** Finds a stored file that the caller may use; undefined if there is none. */
export type FindStepFile = (id: string, principal: Principal) => Promise<StepFile | undefined>;

/** Files by id. */
export type StepFiles = ReadonlyMap<string, StepFile>;

/** Ids of the stored files that these steps name, as they are written. */
export function filesNamed(steps: readonly unknown[]): ReadonlySet<string> {
  return new Set(stepsWithin(steps).flatMap(({ step }) => idsIn(step)));
}

/** The stored files that verified steps may receive; those that do not exist are left out. */
export async function findFiles(
  steps: readonly PlacedStep[],
  find: FindStepFile,
  principal: Principal,
): Promise<StepFiles> {
  const found = new Map<string, StepFile>();
  for (const id of new Set(idsBelow(steps))) {
    const file = await find(id, principal);
    if (file !== undefined) found.set(id, file);
  }
  return found;
}

/**
 * The files of `fileParameters` by file field of the operation. `at`: the pointer of the step. Reports fields that the
 * operation does not have, files that are not there or of a type that the field does not accept, and fields that these
 * parameters require and that have no file.
 */
export function partsOf(
  { operation }: CatalogOperation,
  given: unknown,
  { at, params, files }: { readonly at: string; readonly params: Readonly<Record<string, unknown>>; files: StepFiles },
  faults: Pick<FaultList, 'add'>,
): Readonly<Record<string, readonly StepFile[]>> {
  const specs = operation.parts ?? [];
  const pointer = `${at}/fileParameters`;
  if (!isObject(given ?? {})) faults.add(pointer, `must be an object of stored files by field; found ${nameOf(given)}`);
  const named = isObject(given) ? Object.entries(given) : [];
  const parts: Record<string, readonly StepFile[]> = {};
  for (const [field, value] of named) {
    const place = `${pointer}/${escapePointer(field)}`;
    const spec = specs.find((one) => one.field === field);
    if (spec === undefined) {
      const known = specs.length === 0 ? 'it has none' : `it has ${specs.map((one) => one.field).join(', ')}`;
      faults.add(place, `is not a file field of ${operation.path}; ${known}`);
      continue;
    }
    const references = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    if (references.length > 1 && spec.many !== true) faults.add(place, `takes one file; found ${references.length}`);
    parts[field] = references.flatMap((reference) => {
      const file = fileOf(reference, place, files, faults);
      if (file === undefined || accepts(spec.kinds, file.kind)) return file ?? [];
      const found = file.kind === 'bin' ? 'of an unknown type' : kindName(file.kind);
      faults.add(place, `is ${file.name}, ${found}; allowed: ${kindList(spec.kinds)}`);
      return [];
    });
  }
  for (const { field, requiredWhen } of specs)
    if (holds(requiredWhen, params) && !named.some(([name]) => name === field))
      faults.add(
        `${at}/parameters/${escapePointer(field)}`,
        `needs a second file (${field}) with these parameters: ` +
          'store it with POST /api/v1/policies/assets and name it ' +
          `in the step's "fileParameters": {"${field}": "asset:<id>"}, or call /api/v1/${operation.path} directly`,
      );
  return parts;
}

function fileOf(
  reference: unknown,
  pointer: string,
  files: StepFiles,
  faults: Pick<FaultList, 'add'>,
): StepFile | undefined {
  const id = idOf(reference);
  if (id === undefined) {
    const found = typeof reference === 'string' ? JSON.stringify(reference.slice(0, 100)) : nameOf(reference);
    faults.add(pointer, `must be "asset:" and the id of a stored file (GET /api/v1/policies/assets); found ${found}`);
    return undefined;
  }
  const file = files.get(id);
  if (file === undefined) faults.add(pointer, `there is no stored file with the id ${id}, or it is not for you`);
  return file;
}

function idsBelow(steps: readonly PlacedStep[]): readonly string[] {
  return steps.flatMap(({ raw, inner }) => [
    // Conditions of a step with branches may have filters with files.
    ...filesNamed([raw]),
    ...listsIn(inner).flatMap(idsBelow),
  ]);
}

function idsIn({ fileParameters }: Readonly<Record<string, unknown>>): readonly string[] {
  const values = isObject(fileParameters) ? Object.values(fileParameters) : [];
  return values.flat().flatMap((value) => idOf(value) ?? []);
}

function idOf(reference: unknown): string | undefined {
  return typeof reference === 'string' ? REFERENCE.exec(reference)?.[1] : undefined;
}
