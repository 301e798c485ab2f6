/**
 * Paths to elements, much like XPath. They are read and written by the same declaration, so a few signs say how:
 *
 * - `cac:Party/cbc:ID`, `..`, and at the end `@schemeID`: as in XPath. `.` is the element itself.
 * - `a | b`: alternatives; the first that exists is read, the first is written.
 * - `step[x/y=1|2]`: only elements where x/y is 1 or 2; the first value is set when the element is written.
 *   `$currency` and `$vatCurrency` stand for BT-5 and BT-6 of the invoice.
 * - `step[x!=1|2]`: only elements where x is neither 1 nor 2.
 * - `step[x]`, `step[x|!y]`: only elements that have x, or have x or no y.
 * - `step{x/y=1|2}`: x/y is written with the value 1, but reading does not demand it; 2 means the same.
 * - `step+`: the step that is repeated when there are several values; without a sign it is the last one.
 * - `step*`: the value is the same in all of these elements: read from the first, written into each.
 */
export interface Path {
  readonly steps: readonly Step[];
  readonly attribute: string | undefined;
  /** The index of the step that is repeated for several values. */
  readonly repeated: number;
}

export interface Step {
  /** `cbc:ID`, or `..`. */
  readonly qname: string;
  readonly tests: readonly Test[];
  readonly constants: readonly Constant[];
  readonly inAll: boolean;
}

export type Test =
  | { readonly kind: 'is' | 'is-not'; readonly path: Path; readonly values: readonly string[] }
  | { readonly kind: 'has'; readonly anyOf: readonly { readonly path: Path; readonly present: boolean }[] };

export interface Constant {
  readonly path: Path;
  /** The first is written; the others are known to mean the same. */
  readonly values: readonly string[];
}

const STEP = /(\.\.|@?[\w:-]+)((?:\[[^\]]*\]|\{[^}]*\})*)([*+]?)(?:\/|$)/g;

/** Parses the alternatives of a path. */
export function parsePaths(text: string): readonly Path[] {
  return text.split(/\s+\|\s+/).map(parsePath);
}

export function parsePath(text: string): Path {
  const steps: Step[] = [];
  let attribute: string | undefined;
  let repeated = -1;
  if (text === '.') return { steps, attribute, repeated };
  let end = 0;
  for (const { index, 0: whole, 1: name = '', 2: brackets = '', 3: sign } of text.matchAll(STEP)) {
    if (index !== end) break;
    end += whole.length;
    if (name.startsWith('@')) attribute = name.slice(1);
    else {
      if (sign === '+') repeated = steps.length;
      steps.push(parseStep(name, brackets, sign === '*'));
    }
  }
  if (end !== text.length) throw new SyntaxError(`not a path: ${text}`);
  return { steps, attribute, repeated: repeated === -1 ? steps.length - 1 : repeated };
}

function parseStep(qname: string, brackets: string, inAll: boolean): Step {
  const tests: Test[] = [];
  const constants: Constant[] = [];
  for (const [, test, constant] of brackets.matchAll(/\[([^\]]*)\]|\{([^}]*)\}/g)) {
    if (test !== undefined) tests.push(parseTest(test));
    if (constant !== undefined) constants.push(parseConstant(constant));
  }
  return { qname, tests, constants, inAll };
}

function parseTest(text: string): Test {
  const [, path = '', not, values] = /^([^=!]+)(!?)=(.*)$/.exec(text) ?? [];
  if (values !== undefined)
    return { kind: not === '!' ? 'is-not' : 'is', path: parsePath(path), values: values.split('|') };
  const anyOf = text
    .split('|')
    .map((part) => ({ path: parsePath(part.replace(/^!/, '')), present: !part.startsWith('!') }));
  return { kind: 'has', anyOf };
}

function parseConstant(text: string): Constant {
  const sign = text.indexOf('=');
  return { path: parsePath(text.slice(0, sign)), values: text.slice(sign + 1).split('|') };
}
