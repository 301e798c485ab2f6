import Joi from 'joi';
import { type AnyOperation, type JoiRoot, returnsJson } from '@quire/registry';
import type { OperationAnswer } from '../call-operation.js';

/** Longest part of a wrong value that a fault shows. */
const SHOWN_LENGTH = 80;

/**
 * Differences between a JSON answer and its declaration, one sentence each: the JSON pointer (RFC 6901), the declared
 * type and the value. Undeclared members, missing required ones and values of another type are faults; nothing is
 * converted first.
 */
export function answerFaults(declared: (joi: JoiRoot) => Joi.Schema, answer: unknown): string[] {
  const { error } = declared(Joi).validate(answer, { convert: false, abortEarly: false, errors: { label: false } }) as {
    error?: Joi.ValidationError;
  };
  return (error?.details ?? []).map(
    ({ path, message }) => `${pointerOf(path)} ${message}, found ${shown(valueAt(answer, path))}`,
  );
}

/** Throws with the operation's name and every fault when an answer does not match its declaration. */
export function holdToDeclaration(name: string, declared: (joi: JoiRoot) => Joi.Schema, answer: unknown): void {
  const faults = answerFaults(declared, answer);
  if (faults.length > 0)
    throw new Error(`${name} does not answer as declared:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
}

/** Checks a successful answer of an operation that declares JSON against its declaration. */
export function holdSuccess(operation: AnyOperation, answer: OperationAnswer): void {
  if (answer.status === 200 && returnsJson(operation))
    holdToDeclaration(operation.path, operation.returns.json, answer.json());
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.length === 0
    ? 'the answer'
    : path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function valueAt(answer: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[part] : undefined,
    answer,
  );
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
