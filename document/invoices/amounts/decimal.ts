import { Big } from 'big.js';

/** An exact decimal number. Amounts are never floats: 0.1 + 0.2 is 0.3. */
export type Decimal = Big;

// A constructor of our own, so that nobody else's settings of big.js change our results.
const Exact = Big();
Exact.NE = -1e6;
Exact.PE = 1e6;
Exact.DP = 40;

/**
 * Numbers with more digits are refused: the time of a multiplication grows with the square of the digits, and no
 * invoice needs them. XML Schema demands 18 (XML Schema part 2, 3.2.3).
 */
export const MAX_DIGITS = 100;

const LEXICAL = /^[\t\n\r ]*([+-]?)(\d+(?:\.\d*)?|\.\d+)[\t\n\r ]*$/;

export const zero: Decimal = new Exact(0);
const HUNDREDTH = new Exact('0.01');

/**
 * The number of a text that is an xs:decimal (XML Schema part 2, 3.2.3): digits with an optional sign and point, and
 * white space of XML around them. `1,00`, `1e3`, `NaN` and an empty text give undefined, and so does a number of more
 * than {@link MAX_DIGITS} digits.
 */
export function parseDecimal(text: string | undefined): Decimal | undefined {
  if (text === undefined || text.length > 2 * MAX_DIGITS) return undefined;
  const match = LEXICAL.exec(text);
  if (match === null) return undefined;
  const digits = match[2] ?? '';
  if (digits.length > MAX_DIGITS + 1) return undefined;
  // big.js wants a digit on both sides of the point.
  const plain = digits.startsWith('.') ? `0${digits}` : digits.endsWith('.') ? `${digits}0` : digits;
  const value = new Exact(match[1] === '-' ? `-${plain}` : plain);
  return value.eq(0) ? zero : value;
}

/** Whether {@link parseDecimal} can read the text. */
export function isDecimal(text: string | undefined): boolean {
  return parseDecimal(text) !== undefined;
}

/** The number of a text that is known to be one. Throws a RangeError otherwise. */
export function decimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === undefined) throw new RangeError(`"${text.slice(0, 40)}" is not a decimal number`);
  return value;
}

/** The digits after the point as they are written: `1.500` has 3. */
export function decimalPlaces(text: string): number {
  const written = text.trim();
  const point = written.indexOf('.');
  return point === -1 ? 0 : written.length - point - 1;
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total = zero;
  for (const value of values) total = total.plus(value);
  return total;
}

/** Rounds half away from zero, as accountants do: 0.125 to 0.13, -0.125 to -0.13. */
export function roundHalfUp(value: Decimal, places: number): Decimal {
  return value.round(places, Exact.roundHalfUp);
}

/**
 * Rounds as the published tests of EN 16931 do: half towards positive infinity (`fn:round` of XPath 2.0), so
 * -0.125 becomes -0.12. Differs from {@link roundHalfUp} for negative numbers only.
 */
export function roundXPath(value: Decimal, places: number): Decimal {
  const raised = value.plus(new Exact(`5e-${places + 1}`));
  return raised.round(places, raised.lt(0) ? Exact.roundUp : Exact.roundDown);
}

/** `base` × `percentage` / 100, exact. */
export function percentOf(base: Decimal, percentage: Decimal): Decimal {
  return base.times(percentage).times(HUNDREDTH);
}

/** Plain notation, never an exponent; `places` pads with zeros, and rounds half up where there are more digits. */
export function formatDecimal(value: Decimal, places?: number): string {
  const text = places === undefined ? value.toFixed() : value.toFixed(places, Exact.roundHalfUp);
  return /^-0(?:\.0*)?$/.test(text) ? text.slice(1) : text;
}
