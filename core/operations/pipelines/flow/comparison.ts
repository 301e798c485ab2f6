import { isObject, nameOf } from '../definition.js';
import type { Fact, FactType, FactValue } from './facts.js';

const words = ['is', 'in', 'above', 'below', 'atLeast', 'atMost'] as const;
type Word = (typeof words)[number];

/** The words that compare a fact of a type. */
export const allowed: Readonly<Record<FactType, readonly Word[]>> = {
  number: words,
  boolean: ['is'],
  text: ['is', 'in'],
};

const numeric: Partial<Readonly<Record<Word, (found: number, limit: number) => boolean>>> = {
  above: (found, limit) => found > limit,
  below: (found, limit) => found < limit,
  atLeast: (found, limit) => found >= limit,
  atMost: (found, limit) => found <= limit,
};

/** Most values of `in`. */
const MOST_VALUES = 100;

/** A fact with what it is compared with; all comparisons must hold. */
export interface Comparison {
  /** The values that fit, if these are few: of `is` and `in`. */
  readonly among?: readonly FactValue[];
  fits(found: FactValue): boolean;
}

type Report = (member: string, detail: string) => void;

/** Reads the comparisons of a condition such as `{"fact": "pages", "above": 10}`; undefined if they have faults. */
export function readComparison(
  raw: Readonly<Record<string, unknown>>,
  fact: Fact,
  report: Report,
): Comparison | undefined {
  let faulty = false;
  const refuse: Report = (member, detail) => {
    faulty = true;
    report(member, detail);
  };
  const given = Object.keys(raw).filter((name) => name !== 'fact');
  if (given.length === 0) refuse('', `compares with nothing; add one of ${allowed[fact.type].join(', ')}`);
  for (const name of given)
    if (!allowed[fact.type].includes(name as Word))
      refuse(`/${name.slice(0, 100)}`, `cannot be used with this fact; ${allowed[fact.type].join(', ')} can`);
  if (faulty) return undefined;
  const tests = given.map((name) => readTest(name as Word, raw[name], fact, refuse));
  if (faulty) return undefined;
  const among = tests.map((test) => test.among).find((values) => values !== undefined);
  return {
    ...(among === undefined ? {} : { among }),
    fits: (found) => tests.every((test) => test.fits(found)),
  };
}

function readTest(word: Word, value: unknown, fact: Fact, refuse: Report): Comparison {
  if (word === 'in' && (!Array.isArray(value) || value.length === 0 || value.length > MOST_VALUES)) {
    refuse('/in', `must be a list of 1 to ${MOST_VALUES} values; found ${nameOf(value)}`);
    return { fits: () => false };
  }
  const values = (word === 'in' ? (value as unknown[]) : [value]).map((each, at) => {
    const fault = valueFault(each, fact);
    if (fault !== undefined) refuse(word === 'in' ? `/in/${at}` : `/${word}`, fault);
    return each as FactValue;
  });
  const compare = numeric[word];
  if (compare !== undefined) return { fits: (found) => compare(Number(found), Number(values[0])) };
  const wanted = new Set(values.map(folded));
  return { among: values, fits: (found) => wanted.has(folded(found)) };
}

function valueFault(value: unknown, { type, faultOf }: Fact): string | undefined {
  const right =
    type === 'number' ? Number.isFinite(value) : type === 'boolean' ? typeof value === 'boolean' : isText(value);
  const name = type === 'boolean' ? 'true or false' : type === 'number' ? 'a number' : 'a text';
  if (!right) return `must be ${name}; found ${isObject(value) ? 'an object' : JSON.stringify(value)?.slice(0, 80)}`;
  const fault = faultOf?.(value as FactValue);
  return fault === undefined ? undefined : `${JSON.stringify(value).slice(0, 80)} ${fault}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Texts are compared without regard to upper and lower case, as names of files are by many systems. */
function folded(value: FactValue): FactValue {
  return typeof value === 'string' ? value.normalize('NFC').toLowerCase() : value;
}
