import { signal, type Signal } from '@preact/signals';
import { catalog, operationOf, type FieldFault } from '../../../api/index.ts';
import type { ShownFact, ShownOperation } from '@quire/registry';
import { faultsByField } from '../../../form/faults.ts';
import { isRecord } from '../../../viewers/index.ts';
import { API, type StepJson } from './definition.ts';
import { isWithin } from './pointers.ts';
import { noFaults, StepForm, type StepFaults } from './step-form.ts';

let last = 0;

/** A condition that is edited, or one inside of it. It is replaced when it changes; the form of a filter stays. */
export interface Condition {
  readonly id: number;
  /** How many times `not` stands before it. */
  readonly negations: number;
  /** `other`: nobody knows it; it is kept as it was read. */
  readonly form: 'fact' | 'filter' | 'all' | 'any' | 'other';
  /** As it was read, without `not` and conditions inside of it. */
  readonly read: unknown;
  readonly parts: readonly Condition[];
  /** The parameters of a filter; undefined for one that this server does not have. */
  readonly filter?: StepForm;
  readonly faults: Signal<StepFaults>;
}

export function readCondition(value: unknown): Condition {
  let negations = 0;
  let read = value;
  while (isRecord(read) && Object.keys(read).join() === 'not') {
    negations += 1;
    read = read['not'];
  }
  const faults = signal(noFaults);
  const base = { id: ++last, negations, read, parts: [], faults };
  if (!isRecord(read)) return { ...base, form: 'other' };
  const names = Object.keys(read);
  for (const form of ['all', 'any'] as const)
    if (names.join() === form && Array.isArray(read[form]))
      return { ...base, form, parts: (read[form] as unknown[]).map(readCondition) };
  if (typeof read['fact'] === 'string') return { ...base, form: 'fact' };
  const { filter } = read;
  if (typeof filter !== 'string' || names.some((name) => name !== 'filter' && name !== 'parameters'))
    return { ...base, form: 'other' };
  const operation = operationOf(filter.replace(API, ''));
  const given = read['parameters'] ?? {};
  if (operation === undefined || !isRecord(given)) return { ...base, form: 'filter' };
  return { ...base, form: 'filter', filter: new StepForm(operation, given, faults) };
}

export function conditionJson({ form, read, parts, negations, filter }: Condition): unknown {
  let json = read;
  if (form === 'all' || form === 'any') json = { [form]: parts.map(conditionJson) };
  if (filter !== undefined && isRecord(read)) {
    const kept = isRecord(read['parameters']) ? read['parameters'] : {};
    const parameters = filter.parameters(kept);
    const had = 'parameters' in read || Object.keys(parameters).length > 0;
    json = { ...read, ...(had ? { parameters } : {}) };
  }
  for (let i = 0; i < negations; i += 1) json = { not: json };
  return json;
}

/** A condition in which one was replaced; without a new one it is removed, and undefined if nothing is left. */
export function replaced(condition: Condition, id: number, by: Condition | undefined): Condition | undefined {
  if (condition.id === id) return by;
  const parts = condition.parts.flatMap((part) => replaced(part, id, by) ?? []);
  return condition.parts.length > 0 && parts.length === 0 ? undefined : { ...condition, parts };
}

/** The facts that conditions of this server compare. */
export function knownFacts(): readonly ShownFact[] {
  return catalog.value?.facts ?? [];
}

/** The filters that can decide a condition: what they do not keep is dropped. */
export function knownFilters(): readonly ShownOperation[] {
  return (catalog.value?.operations ?? []).filter(
    ({ pipeline, availability, returns, deprecated }) =>
      pipeline && returns.mayDrop && availability.state === 'available' && deprecated === undefined,
  );
}

/** The value that a new comparison begins with. */
function firstValue({ type, values = [] }: ShownFact): unknown {
  if (type === 'boolean') return true;
  return type === 'number' ? 1 : (values.find((value) => value === 'pdf') ?? values[0] ?? '');
}

/** A comparison of a fact that somebody can start with; without a name, of the number of pages. */
export function newFact(name = 'pages'): Condition {
  const fact = knownFacts().find((each) => each.name === name) ?? knownFacts()[0];
  if (fact === undefined) return readCondition({ fact: name });
  const word = fact.words.includes('above') ? 'above' : 'is';
  return readCondition({ fact: fact.name, [word]: firstValue(fact) });
}

export function newFilter({ path }: ShownOperation): Condition {
  return readCondition({ filter: `${API}${path}`, parameters: {} });
}

/** The same condition with other comparisons. */
export function withFact(condition: Condition, read: StepJson): Condition {
  return { ...condition, read, faults: signal(noFaults) };
}

/** Puts the faults of a condition to the places that they are about. */
export function markCondition(condition: Condition, at: string, faults: readonly FieldFault[]): void {
  const place = `${at}${'/not'.repeat(condition.negations)}`;
  const inside = new Set<FieldFault>();
  for (const [i, part] of condition.parts.entries()) {
    const way = `${place}/${condition.form}/${i}`;
    const found = faults.filter(({ pointer }) => isWithin(pointer, way));
    for (const fault of found) inside.add(fault);
    markCondition(part, way, found);
  }
  const own = faults.filter((fault) => !inside.has(fault));
  const base = condition.form === 'filter' ? `${place}/parameters/` : `${place}/`;
  condition.faults.value = {
    fields: faultsByField(own, base),
    step: own.filter(({ pointer }) => !pointer.startsWith(base)).map(({ detail }) => detail),
  };
}
