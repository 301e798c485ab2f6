import { expect } from 'chai';

/** Names of JSON types; `integer` is a whole number, `x|null` accepts null too. */
export type Shape = Readonly<Record<string, string>>;

const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number' && Number.isInteger(value)
        ? 'integer'
        : typeof value;

/** Expects an object with exactly these members, each of its type. */
export function expectShape(value: unknown, shape: Shape, what = 'the answer'): void {
  expect(kindOf(value), what).to.equal('object');
  expect(Object.keys(value as object).sort(), what).to.deep.equal(Object.keys(shape).sort());
  for (const [name, kinds] of Object.entries(shape)) {
    const kind = kindOf((value as Record<string, unknown>)[name]);
    expect(
      kinds.split('|').some((allowed) => allowed === kind || (allowed === 'number' && kind === 'integer')),
      `${what}: ${name} is ${kind}, not ${kinds}`,
    ).to.equal(true);
  }
}
