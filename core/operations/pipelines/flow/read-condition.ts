import { fileReturns, InputError, type FieldFault } from '@quire/registry';
import { nearestName } from '../../../settings/index.js';
import { isObject, nameOf } from '../definition.js';
import {
  fillTemplates,
  hasTemplates,
  type NamedFile,
  needsInvoice,
  type PerFile,
  sampleFile,
  templateFaults,
  valuesIn,
} from '../templates.js';
import { readComparison, type Comparison } from './comparison.js';
import { factNamed, facts, type Fact } from './facts.js';
import type { Condition, VerifiedStep } from './model.js';
import type { Place } from './placed-steps.js';

/** Most comparisons and filters in one condition. */
const MOST_TESTS = 20;
/** Most levels of `all`, `any` and `not`. */
const MAX_LEVELS = 8;

const forms = ['fact', 'filter', 'all', 'any', 'not'] as const;
type Form = (typeof forms)[number];

export interface ConditionReader {
  readonly place: Place;
  fault(pointer: string, detail: string): void;
  /** Checks a filter as a step; its index among all operations of the pipeline. */
  filter(raw: Readonly<Record<string, unknown>>, at: string): { step: VerifiedStep; index: number } | undefined;
}

/** Reads the condition of a branch; undefined if it has a fault, which was reported. */
export function readCondition(raw: unknown, at: string, reader: ConditionReader): Condition | undefined {
  let tests = 0;
  const read = (value: unknown, pointer: string, level: number): Condition | undefined => {
    const refuse = (detail: string, member = ''): undefined => reader.fault(`${pointer}${member}`, detail) as undefined;
    if (!isObject(value))
      return refuse(`must be a condition, for example {"fact": "pages", "above": 10}; found ${nameOf(value)}`);
    const found = forms.filter((form) => Object.hasOwn(value, form));
    const [form, ...more] = found;
    if (form === undefined) return refuse(`has none of ${forms.join(', ')}`);
    if (more.length > 0) return refuse(`has ${found.join(' and ')}; combine conditions with all or any`);
    const odd = unknownMember(form, value);
    if (odd !== undefined) return refuse(`is not a member of a condition with ${form}`, `/${odd.slice(0, 100)}`);
    if (form === 'fact' || form === 'filter') {
      tests++;
      if (tests === MOST_TESTS + 1)
        reader.fault(at, `compares more than ${MOST_TESTS} times, the most that are allowed`);
      if (tests > MOST_TESTS) return undefined;
      return form === 'fact' ? readFact(value, pointer, reader) : readFilter(value, pointer, reader);
    }
    if (level >= MAX_LEVELS) return refuse(`is nested deeper than ${MAX_LEVELS} levels`);
    if (form === 'not') {
      const of = read(value['not'], `${pointer}/not`, level + 1);
      return of === undefined ? undefined : { type: 'not', of };
    }
    const list = value[form];
    if (!Array.isArray(list) || list.length === 0)
      return refuse(
        `must be a list of conditions; found ${Array.isArray(list) ? 'an empty list' : nameOf(list)}`,
        `/${form}`,
      );
    const of = list.map((each, i) => read(each, `${pointer}/${form}/${i}`, level + 1));
    return of.every((each) => each !== undefined) ? { type: form, of } : undefined;
  };
  return read(raw, at, 0);
}

/** A member that means nothing; comparisons report their own. */
function unknownMember(form: Form, value: Readonly<Record<string, unknown>>): string | undefined {
  if (form === 'fact') return undefined;
  const known = form === 'filter' ? ['filter', 'parameters'] : [form];
  return Object.keys(value).find((name) => !known.includes(name));
}

function readFact(
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  { place: { scopes }, fault }: ConditionReader,
): Condition | undefined {
  const name = value['fact'];
  const fact = typeof name === 'string' ? factNamed(name) : undefined;
  if (typeof name !== 'string' || fact === undefined) {
    fault(`${pointer}/fact`, unknownFact(name));
    return undefined;
  }
  const values = scopes.at(-1);
  if (values === undefined || !hasTemplates(value)) {
    const comparison = readComparison(value, fact, (member, detail) => fault(`${pointer}${member}`, detail));
    return comparison === undefined
      ? undefined
      : { type: 'fact', fact: name, comparisonFor: { needsInvoice: false, of: () => comparison } };
  }
  const unknown = templateFaults(value, pointer, values);
  for (const each of unknown) fault(each.pointer, each.detail);
  if (unknown.length > 0) return undefined;
  const comparisonFor = filled(value, fact, scopes);
  try {
    comparisonFor.of(sampleFile);
    return { type: 'fact', fact: name, comparisonFor };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const each of error.errors) fault(`${pointer}${each.pointer}`, each.detail);
    return undefined;
  }
}

/** Comparisons with placeholders, which may stand for the name of the file. */
function filled(value: Readonly<Record<string, unknown>>, fact: Fact, scopes: Place['scopes']): PerFile<Comparison> {
  const at = new Date();
  const of = (file: NamedFile): Comparison => {
    const errors: FieldFault[] = [];
    const now = { file, at, values: valuesIn(scopes, { file, at }) };
    const comparison = readComparison(
      typed(fillTemplates(value, now) as Record<string, unknown>, fact),
      fact,
      (pointer, detail) => errors.push({ pointer, detail }),
    );
    if (comparison === undefined)
      throw new InputError('INPUT_INVALID', { detail: errors.map(({ detail }) => detail).join('; ') }, errors);
    return comparison;
  };
  return { needsInvoice: needsInvoice(value, scopes), of };
}

/** Values of inputs come from forms, in which numbers are texts. */
function typed(value: Readonly<Record<string, unknown>>, { type }: Fact): Record<string, unknown> {
  const converted = (each: unknown): unknown => {
    if (typeof each !== 'string' || each.trim() === '') return each;
    if (type === 'boolean' && /^(true|false)$/.test(each)) return each === 'true';
    return type === 'number' && Number.isFinite(Number(each)) ? Number(each) : each;
  };
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'fact' ? each : Array.isArray(each) ? each.map(converted) : converted(each),
    ]),
  );
}

function unknownFact(name: unknown): string {
  const known = Object.keys(facts);
  if (typeof name !== 'string') return `must be the name of a fact (${known.join(', ')}); found ${nameOf(name)}`;
  const near = nearestName(name, known);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return `"${name.slice(0, 100)}" is not a fact about files; known are ${known.join(', ')}${hint}`;
}

function readFilter(
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  { filter, fault }: ConditionReader,
): Condition | undefined {
  const found = filter(value, pointer);
  if (found === undefined) return undefined;
  const returns = fileReturns(found.step.entry.operation);
  if (returns?.kind === 'same' && returns.mayDrop === true) return { type: 'filter', ...found };
  fault(`${pointer}/filter`, `${found.step.path} is not a filter: it does not decide whether a file is kept`);
  return undefined;
}
