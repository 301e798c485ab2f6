import { type AuditOptions, contextOf, differ, type Discrepancy, isRounded, otherMark } from './discrepancy.js';
import { absolute, compare, HUNDRED, minus, over, type Rational, sum, times, written, ZERO } from './rational.js';
import { type Mark, type PrintedNumber, readNumber } from './read-number.js';

/** Kinds of statements about numbers. */
export const claimKinds = [
  'sum',
  'difference',
  'product',
  'quotient',
  'percentage_of',
  'percentage_change',
  'average',
] as const;
/**
 * A kind of statement about numbers: `percentage_of` has percent and base, `percentage_change` old and new amount with
 * the percent as result, `difference` the larger minus the smaller or the other way round.
 */
export type ClaimKind = (typeof claimKinds)[number];

/** A claim: numbers as they are printed, and what is said to come of them. */
export interface Claim {
  readonly kind: ClaimKind;
  readonly operands: readonly string[];
  readonly result: string;
  /** Where it is said. */
  readonly quote: string;
  readonly page: number;
}

const WORDS: Readonly<Record<ClaimKind, string>> = {
  sum: 'The sum',
  difference: 'The difference',
  product: 'The product',
  quotient: 'The quotient',
  percentage_of: 'The share',
  percentage_change: 'The change',
  average: 'The average',
};

/** Calculates what a sentence claims; undefined when it is true, or no claim that can be calculated. */
export function checkClaim(claim: Claim, options: AuditOptions): Discrepancy | undefined {
  const found = checkWith(claim, options, options.mark);
  return found === undefined || found === 'none' || checkWith(claim, options, otherMark(options.mark)) === undefined
    ? undefined
    : found;
}

/** Undefined for a true claim, `none` for one that cannot be calculated. */
function checkWith(
  { kind, operands, result, quote, page }: Claim,
  { tolerance, mark: usual }: AuditOptions,
  mark: Mark,
): Discrepancy | 'none' | undefined {
  const stated = readNumber(result, mark);
  const numbers = operands.map((text) => readNumber(text, mark));
  if (
    stated === undefined ||
    numbers.length < 2 ||
    numbers.length > 50 ||
    numbers.some((number) => number === undefined)
  )
    return 'none';
  const read = numbers as readonly PrintedNumber[];
  if (new Set([...read, stated].map(({ currency }) => currency).filter((currency) => currency !== '')).size > 1)
    return 'none';
  const values = calculate(kind, read);
  if (values.length === 0) return 'none';
  const isExact = kind === 'sum' || kind === 'difference';
  // A share of amounts may be said as a percentage.
  const readings =
    kind === 'quotient' && stated.percent ? [...values, ...values.map((value) => times(value, HUNDRED))] : values;
  // A fall of 20 % is said without a sign.
  const same = (value: Rational): readonly Rational[] =>
    kind === 'percentage_change' || kind === 'difference' ? [value, absolute(value)] : [value];
  const fits = (value: Rational): boolean =>
    same(value).some(
      (one) => !differ(one, stated.value, tolerance) || (!isExact && isRounded(one, stated.value, stated.decimals)),
    );
  if (readings.some(fits)) return undefined;
  const nearest = readings
    .flatMap(same)
    .reduce((best, value) =>
      compare(absolute(minus(value, stated.value)), absolute(minus(best, stated.value))) < 0 ? value : best,
    );
  const decimals = Math.max(stated.decimals, isExact ? Math.max(...read.map((each) => each.decimals)) : 2);
  const expected = written(nearest, decimals, usual) + (stated.percent ? '%' : '');
  const severity = isRounded(nearest, stated.value, stated.decimals) ? 'warning' : 'error';
  return {
    page,
    kind: 'statement',
    severity,
    description: `${WORDS[kind]} of ${operands.join(', ')} is ${expected}, not ${result.trim()}`,
    stated: result.trim(),
    expected,
    context: contextOf(quote),
  };
}

function calculate(kind: ClaimKind, numbers: readonly PrintedNumber[]): readonly Rational[] {
  const values = numbers.map(({ value }) => value);
  const [a, b] = values;
  if (a === undefined || b === undefined) return [];
  const given = (value: Rational | undefined): readonly Rational[] => (value === undefined ? [] : [value]);
  switch (kind) {
    case 'sum':
      return [sum(values)];
    case 'average':
      return given(over(sum(values), { top: BigInt(values.length), bottom: 1n }));
    case 'product':
      return values.length > 10 ? [] : [values.reduce(times)];
    default:
      break;
  }
  if (values.length !== 2) return [];
  switch (kind) {
    case 'difference':
      return [minus(a, b), minus(b, a)];
    case 'quotient':
      return given(over(a, b));
    case 'percentage_of':
      return given(over(times(a, b), HUNDRED));
    case 'percentage_change': {
      const change = over(times(minus(b, a), HUNDRED), absolute(a));
      return a.top === 0n ? [] : given(change);
    }
    default:
      return [ZERO];
  }
}
