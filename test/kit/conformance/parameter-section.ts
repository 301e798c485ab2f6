import { expect } from 'chai';
import Joi from 'joi';
import type { AnyOperation, Example } from '@quire/registry';
import { type OperationAnswer, callOperation } from '../call-operation.js';
import type { TestHost } from './host.js';
import { holdSuccess } from './json-answer.js';
import { baseOf, isWithoutService } from './refusal-section.js';
import { isDeclared } from './run-section.js';
import { type Subject, type TestContext, type TestRunner, programNote } from './subject.js';

/** Maximum number of accepted values that are run, the odd ones first; more would only repeat the work. */
const MOST_RUNS = 8;
/** The same of a sample: nearly all of the time of these tests is theirs. */
const SOME_RUNS = 1;
/** Wrong values that a sample sends in each field. */
const SOME_VALUES = 3;

/** The members of a field in Joi's `describe()`. */
interface Field {
  readonly type?: string;
  readonly flags?: { readonly only?: boolean };
  readonly allow?: readonly unknown[];
  readonly rules?: readonly { readonly name: string; readonly args?: { readonly limit?: unknown } }[];
}

/**
 * Tests each field of an operation with values that clients get wrong: refused with 400 at the field, or answered;
 * never a 5xx.
 */
export function parameterSection(subject: Subject, { it }: TestRunner, host: () => Promise<TestHost>): void {
  for (const [turn, operation] of subject.operations.entries()) {
    const schema = operation.params(Joi);
    const { keys = {} } = schema.describe() as { keys?: Readonly<Record<string, Field>> };
    if (Object.keys(keys).length === 0) continue;
    const base = baseOf(operation);
    const tried = Object.entries(keys).flatMap(([field, described], at) =>
      subject
        .some(wrongValues(described), SOME_VALUES, at)
        .map((value) => ({ field, value, params: { ...(base.params as object), [field]: value } })),
    );
    const isRefused = ({ params }: { readonly params: object }): boolean =>
      schema.validate(params, { convert: true, stripUnknown: true }).error !== undefined;

    const title = `${operation.path} refuses wrong values and names the field${programNote(operation)}`;
    it(title, async function (this: TestContext) {
      for (const one of tried.filter(isRefused)) {
        const answer = await call(await host(), subject, operation, base, one.params);
        if (isAbsent(answer)) return this.skip?.();
        const said = `${one.field}=${shown(one.value)}: ${new TextDecoder().decode(answer.bytes.subarray(0, 500))}`;
        expect(answer.status, said).to.equal(400);
        const { errors = [] } = answer.json<{ errors?: readonly { readonly pointer?: string }[] }>();
        expect(
          errors.some(({ pointer = '' }) => pointer.split('/')[1] === one.field),
          said,
        ).to.equal(true);
      }
    });

    it(`${operation.path} handles odd values${programNote(operation)}`, async function (this: TestContext) {
      const odd = tried.filter((candidate) => !isRefused(candidate));
      for (const one of subject.some(odd, SOME_RUNS, turn).slice(0, MOST_RUNS)) {
        const answer = await call(await host(), subject, operation, base, one.params);
        if (isAbsent(answer)) return this.skip?.();
        if (isWithoutService(operation, answer)) continue;
        const said = `${one.field}=${shown(one.value)}: ${new TextDecoder().decode(answer.bytes.subarray(0, 500))}`;
        expect(answer.status, said).to.be.lessThan(500);
        if (answer.status >= 400)
          expect(isDeclared(operation, answer.code ?? ''), `${answer.code} is declared; ${said}`).to.equal(true);
        holdSuccess(operation, answer);
      }
    });
  }
}

/** Values of the wrong type for a field, and the first ones outside its bounds. */
function wrongValues({ type, flags, allow = [], rules = [] }: Field): readonly string[] {
  const limits = rules.flatMap(({ name, args }) =>
    typeof args?.limit !== 'number'
      ? []
      : name === 'min'
        ? [String(args.limit - 1)]
        : name === 'max'
          ? [String(args.limit + 1)]
          : [],
  );
  const long = 'x'.repeat(200_000);
  if (flags?.only === true) {
    const known = allow.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
    return ['no-such-choice', '99', `${known[0] ?? ''} ${known[1] ?? ''}`, long];
  }
  if (type === 'number')
    return ['abc', 'NaN', 'Infinity', '-1', '0', '1.5', '1e400', '99999999999999999999', '1;2', ...limits];
  if (type === 'boolean') return ['maybe', '2', 'null'];
  return [' ', '\u0000\u0007', '{', '[]', '[{}]', '-1', '𝔘\u{202e}x', long];
}

function call(
  { url }: TestHost,
  subject: Subject,
  operation: AnyOperation,
  base: Example<unknown>,
  params: object,
): Promise<OperationAnswer> {
  const file = (name: string): { name: string; bytes: Uint8Array } => ({ name, bytes: subject.fixture(name) });
  return callOperation(url, {
    path: operation.path,
    files: base.files.map(file),
    parts: Object.fromEntries(Object.entries(base.parts ?? {}).map(([field, name]) => [field, file(name)])),
    params: params as Record<string, unknown>,
    timeoutMs: 30_000,
  });
}

function isAbsent({ code }: OperationAnswer): boolean {
  return code === 'PROGRAM_MISSING';
}

function shown(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}
