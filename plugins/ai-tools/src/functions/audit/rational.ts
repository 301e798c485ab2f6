/** An exact number: `top / bottom` in lowest terms, `bottom` above 0. */
export interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** Creates a fraction; undefined if the denominator is 0. */
function ratio(top: bigint, bottom: bigint): Rational | undefined {
  if (bottom === 0n) return undefined;
  const sign = bottom < 0n ? -1n : 1n;
  const divisor = gcd(top < 0n ? -top : top, bottom * sign);
  return { top: (top * sign) / divisor, bottom: (bottom * sign) / divisor };
}

/** Creates a number from digits; the last `decimals` digits are the fraction. */
export function decimal(digits: string, decimals: number): Rational {
  return ratio(BigInt(digits), 10n ** BigInt(decimals)) ?? ZERO;
}

/** Nothing. */
export const ZERO: Rational = { top: 0n, bottom: 1n };
/** Divisor of percentages. */
export const HUNDRED: Rational = { top: 100n, bottom: 1n };

/** The sum of two numbers. */
export const plus = (a: Rational, b: Rational): Rational =>
  ratio(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom) ?? ZERO;
/** The number with the other sign. */
export const negated = (a: Rational): Rational => ({ top: -a.top, bottom: a.bottom });
/** The difference of two numbers. */
export const minus = (a: Rational, b: Rational): Rational => plus(a, negated(b));
/** The product of two numbers. */
export const times = (a: Rational, b: Rational): Rational => ratio(a.top * b.top, a.bottom * b.bottom) ?? ZERO;
/** Undefined for a division by 0. */
export const over = (a: Rational, b: Rational): Rational | undefined => ratio(a.top * b.bottom, a.bottom * b.top);
/** The number without its sign. */
export const absolute = (a: Rational): Rational => (a.top < 0n ? negated(a) : a);
/** Below 0 when `a` is the smaller one, 0 when they are equal. */
export const compare = (a: Rational, b: Rational): number => {
  const difference = a.top * b.bottom - b.top * a.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
/** The sum of all; 0 for none. */
export const sum = (numbers: readonly Rational[]): Rational => numbers.reduce(plus, ZERO);
/** Half of the last place of a number with so many decimals. */
export const halfPlace = (decimals: number): Rational => ({ top: 1n, bottom: 2n * 10n ** BigInt(decimals) });

/**
 * Writes a number with at most so many decimals, rounded half away from 0, and at least as many as it needs up to them.
 */
export function written(number: Rational, decimals: number, mark: '.' | ',' = '.'): string {
  const unit = 10n ** BigInt(decimals);
  const { top, bottom } = absolute(number);
  const scaled = (2n * top * unit + bottom) / (2n * bottom);
  const whole = (scaled / unit).toString();
  const rest = decimals === 0 ? '' : `${mark}${(scaled % unit).toString().padStart(decimals, '0')}`;
  return `${number.top < 0n && scaled > 0n ? '-' : ''}${whole}${rest}`;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
