import { copyFile } from 'node:fs/promises';
import type { CatalogOperation } from '@quire/catalog';
import { holds, kindName, type ConcreteKind, type Principal } from '@quire/registry';
import { accepts, escapePointer, kindList } from '../runner/index.js';
import type { WireFile } from '../workers/index.js';
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

/** Files that were sent with a run, by the key that steps name them by. */
export type SentFiles = ReadonlyMap<string, readonly StepFile[]>;

/** The files that steps may receive. */
export interface StepFiles {
  /** By id. */
  readonly stored: ReadonlyMap<string, StepFile>;
  readonly sent: SentFiles;
}

export const noStepFiles: StepFiles = { stored: new Map(), sent: new Map() };

/** Of an input of a job: the field of a file that was sent for steps, before its key. */
const SENT_FIELD = 'step file ';

/** The field of a job's input that is a file for steps with this key. */
export function sentField(key: string): string {
  return `${SENT_FIELD}${key}`;
}

/** The files for steps among the inputs of a job. */
export function sentFiles(inputs: readonly (WireFile & { readonly field: string })[]): SentFiles {
  const sent = new Map<string, StepFile[]>();
  for (const [at, { field, name, kind, size, path }] of inputs.entries()) {
    if (!field.startsWith(SENT_FIELD)) continue;
    const key = field.slice(SENT_FIELD.length);
    const file = { id: `sent-${at}`, name, kind, size, copyTo: (target: string) => copyFile(path, target) };
    sent.set(key, [...(sent.get(key) ?? []), file]);
  }
  return sent;
}

/** Ids of the stored files that these steps name, as they are written. */
export function filesNamed(steps: readonly unknown[]): ReadonlySet<string> {
  return new Set([...referencesIn(steps)].flatMap((reference) => idOf(reference) ?? []));
}

/** Everything by which these steps name files, as it is written. */
export function referencesIn(steps: readonly unknown[]): ReadonlySet<unknown> {
  return new Set(
    stepsWithin(steps).flatMap(({ step: { fileParameters } }) =>
      isObject(fileParameters) ? Object.values(fileParameters).flat() : [],
    ),
  );
}

/** The stored files that verified steps may receive; those that do not exist are left out. */
export async function findFiles(
  steps: readonly PlacedStep[],
  find: FindStepFile,
  principal: Principal,
): Promise<StepFiles['stored']> {
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
    const found = references.flatMap((reference) => filesOf(reference, place, files, faults));
    const count = Math.max(references.length, found.length);
    if (count > 1 && spec.many !== true) faults.add(place, `takes one file; found ${count}`);
    parts[field] = found.filter(({ name, kind }) => {
      if (accepts(spec.kinds, kind)) return true;
      const words = kind === 'bin' ? 'of an unknown type' : kindName(kind);
      faults.add(place, `is ${name}, ${words}; allowed: ${kindList(spec.kinds)}`);
      return false;
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

function filesOf(
  reference: unknown,
  pointer: string,
  { stored, sent }: StepFiles,
  faults: Pick<FaultList, 'add'>,
): readonly StepFile[] {
  const id = idOf(reference);
  if (id === undefined) {
    const own = typeof reference === 'string' ? sent.get(reference) : undefined;
    if (own !== undefined) return own;
    const found = typeof reference === 'string' ? JSON.stringify(reference.slice(0, 100)) : nameOf(reference);
    const keys = [...sent.keys()].map((key) => JSON.stringify(key)).join(', ');
    const or = sent.size === 0 ? '' : `, or the key of a file that was sent (${keys})`;
    faults.add(
      pointer,
      `must be "asset:" and the id of a stored file (GET /api/v1/policies/assets)${or}; found ${found}`,
    );
    return [];
  }
  const file = stored.get(id);
  if (file === undefined) faults.add(pointer, `there is no stored file with the id ${id}, or it is not for you`);
  return file === undefined ? [] : [file];
}

function idsBelow(steps: readonly PlacedStep[]): readonly string[] {
  return steps.flatMap(({ raw, inner }) => [
    // Conditions of a step with branches may have filters with files.
    ...filesNamed([raw]),
    ...listsIn(inner).flatMap(idsBelow),
  ]);
}

function idOf(reference: unknown): string | undefined {
  return typeof reference === 'string' ? REFERENCE.exec(reference)?.[1] : undefined;
}
