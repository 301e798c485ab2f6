import { trimXml, type XmlElement } from '../xml/index.js';
import type { Path, Step, Test } from './path.js';

/** What `$currency` and `$vatCurrency` stand for in a path; undefined where the invoice names none. */
export interface Variables {
  readonly currency: string | undefined;
  readonly vatCurrency: string | undefined;
}

/** Called with each step and the element that it leads to, for paths that lead to something. */
export type OnStep = (step: Step, element: XmlElement) => void;

/** The elements at the end of the path; those without the attribute, if the path names one, are left out. */
export function find(
  path: Path,
  from: XmlElement,
  variables: Variables,
  options: { readonly first?: boolean; readonly onStep?: OnStep } = {},
): XmlElement[] {
  const found: XmlElement[] = [];
  walk(path, 0, from, { variables, found, first: options.first === true, onStep: options.onStep });
  return found;
}

interface Walk {
  readonly variables: Variables;
  readonly found: XmlElement[];
  readonly first: boolean;
  readonly onStep: OnStep | undefined;
}

/** Whether something was found. */
function walk(path: Path, index: number, from: XmlElement, options: Walk): boolean {
  const step = path.steps[index];
  if (step === undefined) {
    if (path.attribute !== undefined && !from.attributes.has(path.attribute)) return false;
    options.found.push(from);
    return true;
  }
  if (step.qname === '..') return from.parent !== undefined && walk(path, index + 1, from.parent, options);
  let any = false;
  for (const child of from.children) {
    if (child.qname !== step.qname || !meets(child, step, options.variables)) continue;
    if (!walk(path, index + 1, child, options)) continue;
    any = true;
    options.onStep?.(step, child);
    if (options.first) return true;
  }
  return any;
}

/** Whether the element passes the tests of the step. */
export function meets(element: XmlElement, step: Step, variables: Variables): boolean {
  return step.tests.every((test) => passes(element, test, variables));
}

function passes(element: XmlElement, test: Test, variables: Variables): boolean {
  if (test.kind === 'has') return test.anyOf.some(({ path, present }) => hasAny(path, element, variables) === present);
  const [place] = find(test.path, element, variables, { first: true });
  // An amount without a currency is in that of the invoice.
  if (place === undefined) return test.kind === 'is-not' || test.values.includes('$currency');
  const text = valueAt(place, test.path);
  return test.values.some((value) => resolved(value, variables) === text) === (test.kind === 'is');
}

/** Whether the path leads to something. */
export function hasAny(path: Path, from: XmlElement, variables: Variables): boolean {
  return find(path, from, variables, { first: true }).length > 0;
}

/** The text of an element that a path leads to, or of its attribute. */
export function valueAt(element: XmlElement, path: Path): string {
  return path.attribute === undefined ? element.text : trimXml(element.attributes.get(path.attribute) ?? '');
}

export function resolved(value: string, variables: Variables): string | undefined {
  return value === '$currency' ? variables.currency : value === '$vatCurrency' ? variables.vatCurrency : value;
}
