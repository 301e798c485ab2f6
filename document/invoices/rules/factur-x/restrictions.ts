import type { XmlElement } from '../../syntaxes/index.js';
import { FACTUR_X_CODES } from './coded-places.js';
import { FACTUR_X_OCCURRENCES } from './occurrences.js';
import { FACTUR_X_UNUSED } from './unused.js';

/** What a schematron of Factur-X says of an element, or of something in it. */
export interface Restriction {
  /** The path that the element ends with, from the element upwards. */
  readonly steps: readonly Step[];
  /** Letters of profiles (`elements.ts`). */
  readonly profiles: string;
  /** `ram:ID`, `@schemeID`, or `.` for the text of the element; with the variant that is meant. */
  readonly name: string;
  readonly variant: Variant | undefined;
  readonly demand: Demand;
  /** `FX-SCH-A-000019`; undefined where the artefact has no number. */
  readonly rule: string | undefined;
}

/** What must hold: not used, exactly once, at most once, at least once; or the name of a code list. */
export type Demand = { readonly kind: 'unused' | '1' | '?' | '+' } | { readonly kind: 'code'; readonly list: string };

export interface Step {
  readonly qname: string;
  readonly variant: Variant | undefined;
}

/** Currencies of the invoice, which a variant can mean. */
export interface Currencies {
  readonly currency: string | undefined;
  readonly vatCurrency: string | undefined;
}

/** Whether an element is of a variant, such as the document references with the type code 916. */
export type Variant = (element: XmlElement, currencies: Currencies) => boolean;

const ALL = 'mwbex';
const ABBREVIATED: Readonly<Record<string, string>> = {
  allowance: 'ChargeIndicator/udt:Indicator=false',
  charge: 'ChargeIndicator/udt:Indicator=true',
  neither: 'ChargeIndicator/udt:Indicator!=false|true',
};

/**
 * All restrictions. In the tables, a line with two spaces names the ends of paths, separated by ` | `, and the profiles
 * in braces (none: all five); the lines with four spaces below list what is restricted there: the name, and the demand
 * and the number of the rule where the table has them. Names are of the prefix ram: unless another is named.
 * `X[a/b=c|d]` is the variant of X where a/b is c or d, `X[a/b!=c|d]` where it is neither; `[allowance]` and `[charge]`
 * are the variants by ChargeIndicator, `[neither]` is without one.
 */
export const readRestrictions = (): readonly Restriction[] => [
  ...parse(FACTUR_X_UNUSED, () => ({ kind: 'unused' })),
  ...parse(FACTUR_X_OCCURRENCES, (sign) => ({ kind: sign as '1' | '?' | '+' })),
  ...parse(FACTUR_X_CODES, (list) => ({ kind: 'code', list })),
];

function* parse(table: string, demandOf: (word: string) => Demand): Generator<Restriction> {
  let ends: string[] = [];
  let profiles = ALL;
  let isOpen = false;
  for (const line of table.split('\n').filter((text) => text.trim() !== '')) {
    if (!line.startsWith('    ')) {
      if (!isOpen) ends = [];
      const [, paths = '', letters = ALL] = /^\s*(.*?)\s*(?:\{(\w+)\})?$/.exec(line) ?? [];
      ends.push(
        ...paths
          .split('|')
          .map((path) => path.trim())
          .filter(Boolean),
      );
      profiles = letters;
      isOpen = true;
      continue;
    }
    isOpen = false;
    for (const entry of line.split(', ')) {
      const [text = '', word = '', number] = entry.trim().replace(/,$/, '').split(' ');
      const { qname: name, variant } = parseStep(text);
      const rule = number === undefined ? undefined : `FX-SCH-A-000${number}`;
      for (const end of ends) yield { steps: stepsOf(end), profiles, name, variant, demand: demandOf(word), rule };
    }
  }
}

/** `a/b[c/d=e]` as steps, the last first. */
function stepsOf(path: string): readonly Step[] {
  return path
    .split(/\/(?![^[]*\])/)
    .map(parseStep)
    .toReversed();
}

function parseStep(text: string): Step {
  const [, name = '', test] = /^([^[]*)(?:\[(.*)\])?$/.exec(text) ?? [];
  return { qname: qualified(name), variant: test === undefined ? undefined : parseVariant(ABBREVIATED[test] ?? test) };
}

const qualified = (name: string): string => (/[:@.]/.test(name) ? name : `ram:${name}`);

function parseVariant(test: string): Variant {
  const [, path = '', not, list = ''] = /^(.*?)(!?)=(.*)$/.exec(test) ?? [];
  const steps = path.split('/').map(qualified);
  const values = list.split('|');
  return (element, currencies) => {
    const found = valuesAt(element, steps);
    const means = (value: string): string | undefined =>
      value === '$currency' || value === '$vatCurrency' ? currencies[value.slice(1) as keyof Currencies] : value;
    return values.some((value) => found.includes(means(value))) !== (not === '!');
  };
}

function valuesAt(element: XmlElement, [step = '', ...rest]: readonly string[]): readonly (string | undefined)[] {
  if (step.startsWith('@')) return element.attributes.has(step.slice(1)) ? [element.attributes.get(step.slice(1))] : [];
  const children = element.children.filter(({ qname }) => qname === step);
  return rest.length === 0 ? children.map(({ text }) => text) : children.flatMap((child) => valuesAt(child, rest));
}
