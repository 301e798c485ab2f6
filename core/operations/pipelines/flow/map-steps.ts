import { isObject } from '../definition.js';

/** A step, or a filter in a condition, as it is written. */
export type WrittenStep = Readonly<Record<string, unknown>>;

type Change = (step: WrittenStep, pointer: string) => WrittenStep;

const branching = ['if', 'parallel', 'each'] as const;

/** Definitions are not nested deeper (`parseDefinition`); what is deeper stays as it is. */
const MAX_LEVELS = 100;

/**
 * Returns a copy of steps in which every operation and every filter of a condition is replaced by what `change` returns
 * for it and its pointer. What is not a step stays as it is.
 */
export function mapSteps(steps: readonly unknown[], change: Change, pointer = '/pipeline'): readonly unknown[] {
  const all = (value: unknown, at: string, level: number): unknown =>
    Array.isArray(value) ? value.map((step, i) => one(step, `${at}/${i}`, level + 1)) : value;
  const one = (step: unknown, at: string, level: number): unknown => {
    if (!isObject(step) || level > MAX_LEVELS) return step;
    if (!branching.some((form) => form in step)) return change(step, at);
    const { parallel } = step;
    return {
      ...step,
      ...('if' in step ? { if: condition(step['if'], `${at}/if`, level + 1) } : {}),
      ...('then' in step ? { then: all(step['then'], `${at}/then`, level) } : {}),
      ...('else' in step ? { else: all(step['else'], `${at}/else`, level) } : {}),
      ...('each' in step ? { each: all(step['each'], `${at}/each`, level) } : {}),
      ...(Array.isArray(parallel)
        ? { parallel: parallel.map((branch, i) => all(branch, `${at}/parallel/${i}`, level)) }
        : {}),
    };
  };
  const condition = (value: unknown, at: string, level: number): unknown => {
    if (!isObject(value) || level > MAX_LEVELS) return value;
    if ('filter' in value) return change(value, at);
    const list = (name: 'all' | 'any'): object => {
      const conditions = value[name];
      return Array.isArray(conditions)
        ? { [name]: conditions.map((each, i) => condition(each, `${at}/${name}/${i}`, level + 1)) }
        : {};
    };
    return {
      ...value,
      ...list('all'),
      ...list('any'),
      ...('not' in value ? { not: condition(value['not'], `${at}/not`, level + 1) } : {}),
    };
  };
  return steps.map((step, i) => one(step, `${pointer}/${i}`, 0));
}

/** A step or filter with its pointer. */
export interface FoundStep {
  readonly step: WrittenStep;
  readonly pointer: string;
}

/** Every step that has an operation, and every filter in a condition, in the order in which they are written. */
export function stepsWithin(steps: readonly unknown[]): readonly FoundStep[] {
  const found: FoundStep[] = [];
  mapSteps(steps, (step, pointer) => {
    found.push({ step, pointer });
    return step;
  });
  return found;
}

/** The path of a step's operation or of a filter; empty if it has none. */
export function pathOf({ operation, filter }: WrittenStep): string {
  const path = operation ?? filter;
  return typeof path === 'string' ? path : '';
}
