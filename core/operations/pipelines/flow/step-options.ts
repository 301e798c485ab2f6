import { baseName, type FieldFault } from '@quire/registry';
import { cleanFileName } from '../../runner/index.js';
import { isObject, nameOf } from '../definition.js';
import { fillTemplates, type NamedFile, needsInvoice, templateFaults, valuesIn } from '../templates.js';
import { reactions, type Reaction, type StepOptions } from './model.js';
import type { PlacedStep } from './placed-steps.js';

/** Longest template of a name, in characters. */
const LONGEST_NAME = 200;

/** Reads what a step has beside its work: `onError` and `name`. */
export function readOptions(
  { raw, at, scopes, inner }: PlacedStep,
  fault: (pointer: string, detail: string) => void,
): StepOptions {
  if (!isObject(raw)) return { onError: 'stop' };
  const { onError = 'stop', name } = raw;
  const known = reactions.some((reaction) => reaction === onError);
  if (!known) fault(`${at}/onError`, `must be ${reactions.join(', ')}; found ${shown(onError)}`);
  const reaction = known ? (onError as Reaction) : 'stop';
  // Placed steps with branches have reported the name as a member that they do not have.
  if (name === undefined || inner?.form === 'if' || inner?.form === 'parallel') return { onError: reaction };
  const values = scopes.at(-1) ?? {};
  const faults = nameFaults(name, `${at}/name`, values);
  for (const { pointer, detail } of faults) fault(pointer, detail);
  if (typeof name !== 'string' || faults.length > 0) return { onError: reaction };
  const now = new Date();
  const filled = (file: NamedFile): string =>
    String(fillTemplates(name, { file, at: now, values: valuesIn(scopes, { file, at: now }) }) ?? '');
  return { onError: reaction, nameFor: { needsInvoice: needsInvoice(name, scopes), of: filled } };
}

function nameFaults(name: unknown, at: string, values: Readonly<Record<string, unknown>>): readonly FieldFault[] {
  if (typeof name !== 'string' || name.trim() === '')
    return [{ pointer: at, detail: `must be a text such as "{{file.base}}-signed"; found ${nameOf(name)}` }];
  if (name.length > LONGEST_NAME) return [{ pointer: at, detail: `is longer than ${LONGEST_NAME} characters` }];
  return templateFaults(name, at, values);
}

/** Files with the name of their step; the results of one call that returns several are numbered. */
export function renamed<T extends { readonly name: string }>(
  files: readonly T[],
  { nameFor }: StepOptions,
  received: NamedFile,
): readonly T[] {
  if (nameFor === undefined) return files;
  const wanted = nameFor.of(received);
  return files.map((file, i) => {
    const extension = file.name.slice(baseName(file.name).length);
    const ends = extension !== '' && wanted.toLowerCase().endsWith(extension.toLowerCase());
    const base = ends ? wanted.slice(0, -extension.length) : wanted;
    return { ...file, name: cleanFileName(`${base}${files.length > 1 ? `-${i + 1}` : ''}${extension}`) };
  });
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value).slice(0, 80) : nameOf(value);
}
