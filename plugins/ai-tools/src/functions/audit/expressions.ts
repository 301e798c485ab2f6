import { type AuditOptions, contextOf, differ, type Discrepancy, isRounded, otherMark } from './discrepancy.js';
import { type Token, tokensOf } from './expression-tokens.js';
import { evaluate } from './expression-value.js';
import { HUNDRED, type Rational, times, written } from './rational.js';
import { type Mark, plainDigits } from './read-number.js';

const MOST_TOKENS = 60;
/** A text longer than this is not prose, and is left: figures without blanks take the square of their length. */
const LONGEST_TEXT = 20_000;

/** Finds written-out arithmetic (`3 x 12.50 = 37.50`) that does not come out. `page` is where the text stands. */
export function checkExpressions(text: string, page: number, options: AuditOptions): readonly Discrepancy[] {
  if (!text.includes('=') || text.length > LONGEST_TEXT) return [];
  const first = checkWith(text, page, options, options.mark);
  if (first.length === 0) return first;
  const second = new Set(checkWith(text, page, options, otherMark(options.mark)).map(({ context }) => context));
  return first.filter(({ context }) => second.has(context));
}

function checkWith(
  text: string,
  page: number,
  { tolerance, mark: usual }: AuditOptions,
  mark: Mark,
): readonly Discrepancy[] {
  const plain = plainDigits(text);
  const tokens = tokensOf(plain, mark);
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'equals') return [];
    const [left, right] = [runBefore(tokens, at), runAfter(tokens, at)];
    if (left === undefined || right === undefined || !isComparable(left, right)) return [];
    // The stated result is the side with a single number.
    const [sum, single] = right.length === 1 ? [left, right] : left.length === 1 ? [right, left] : [left, right];
    const wrong = wrongResult(sum, single, tolerance);
    if (wrong === undefined) return [];
    const { value, stated, decimals, places, percent } = wrong;
    const shown = percent
      ? `${written(times(value, HUNDRED), Math.max(decimals, 2), usual)}%`
      : written(value, placesOf(value, decimals), usual);
    const [start, end] = [
      Math.min(left[0]?.start ?? 0, right[0]?.start ?? 0),
      Math.max(right.at(-1)?.end ?? 0, left.at(-1)?.end ?? 0),
    ];
    const statedText = text.slice(single[0]?.start ?? 0, single.at(-1)?.end ?? 0).trim();
    const expression = contextOf(text.slice(sum[0]?.start ?? 0, sum.at(-1)?.end ?? 0));
    return [
      {
        page,
        kind: 'arithmetic',
        severity: isRounded(value, stated, places) ? 'warning' : 'error',
        description: `${expression} is ${shown}, not ${statedText}`,
        stated: statedText,
        expected: shown,
        context: contextOf(text.slice(start, end)),
      },
    ];
  });
}

/** True where one side computes something, and both are in one unit and one currency. */
function isComparable(left: readonly Token[], right: readonly Token[]): boolean {
  const numbers = [left, right].map((run) => run.filter((one) => one.kind === 'number'));
  if (numbers.every((side) => side.length < 2)) return false;
  const all = numbers.flat();
  const units = new Set(all.map(({ unit }) => unit.toLowerCase()).filter((unit) => unit !== ''));
  const currencies = new Set(all.map(({ number }) => number.currency).filter((currency) => currency !== ''));
  return units.size <= 1 && currencies.size <= 1;
}

interface WrongResult {
  readonly value: Rational;
  readonly stated: Rational;
  /** Decimals of the stated number. */
  readonly decimals: number;
  /** Decimals of the stated value: two more for a percentage. */
  readonly places: number;
  readonly percent: boolean;
}

/** The result that an expression has; undefined where it is the stated one, or either cannot be computed. */
function wrongResult(
  sum: readonly Token[],
  single: readonly Token[],
  tolerance: AuditOptions['tolerance'],
): WrongResult | undefined {
  const stated = evaluate(single);
  const readings = [evaluate(sum), evaluate(sum, true)].filter((value) => value !== undefined);
  const [value] = readings;
  if (stated === undefined || value === undefined) return undefined;
  const [first] = single;
  const percent = single.length === 1 && first?.kind === 'number' && first.number.percent;
  const decimals = Math.max(0, ...single.map((one) => (one.kind === 'number' ? one.number.decimals : 0)));
  const places = decimals + (percent ? 2 : 0);
  const inexact =
    decimals >= 2 ||
    sum.some(
      (one) => (one.kind === 'operator' && one.operator === '/') || (one.kind === 'number' && one.number.percent),
    );
  const fits = (one: Rational): boolean =>
    !differ(one, stated, tolerance) || (inexact && isRounded(one, stated, places));
  // A percentage may be stated as a number of hundredths.
  const other = percent ? times(stated, HUNDRED) : undefined;
  if (readings.some((one) => fits(one) || (other !== undefined && !differ(one, other, tolerance)))) return undefined;
  return { value, stated, decimals, places, percent };
}

/** Returns how many decimals distinguish a value from the stated one: at most six. */
function placesOf(value: Rational, decimals: number): number {
  for (let places = decimals; places < 6; places++)
    if ((value.top * 10n ** BigInt(places)) % value.bottom === 0n) return places;
  return Math.max(decimals, 6);
}

/** Returns the longest expression that ends before an equals sign; undefined without one. */
function runBefore(tokens: readonly Token[], equals: number): Token[] | undefined {
  let from = equals;
  while (from > 0 && equals - from < MOST_TOKENS && isPart(tokens[from - 1])) {
    if (tokens[from - 1]?.kind === 'number' && tokens[from]?.kind === 'number') break;
    from--;
  }
  let run = tokens.slice(from, equals);
  // A dash between words and numbers is punctuation, also as the sign of an item of a list.
  if (tokens[from - 1]?.kind === 'word' && tokens[from - 1]?.end === run[0]?.start) return undefined;
  const [first] = run;
  if (first?.kind === 'operator') {
    const before = tokens[from - 1];
    // An expression that continues a letter is algebra.
    if (first.operator !== '-' || (before !== undefined && before.end - before.start === 1)) return undefined;
    if (run[1]?.start !== first.end) run = run.slice(1);
  }
  return isExpression(run) ? run : undefined;
}

function runAfter(tokens: readonly Token[], equals: number): Token[] | undefined {
  let to = equals + 1;
  while (to < tokens.length && to - equals < MOST_TOKENS && isPart(tokens[to])) {
    if (tokens[to]?.kind === 'number' && tokens[to - 1]?.kind === 'number') break;
    to++;
  }
  let run = tokens.slice(equals + 1, to);
  const last = run.at(-1);
  const opened = run.filter(({ kind }) => kind === 'open').length < run.filter(({ kind }) => kind === 'close').length;
  if (last?.kind === 'operator' && last.operator === '-') run = run.slice(0, -1);
  else if (opened && last?.kind === 'close') run = run.slice(0, -1);
  return isExpression(run) ? run : undefined;
}

function isPart(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== 'word' && token.kind !== 'equals';
}

function isExpression(run: readonly Token[]): boolean {
  return run.length > 0 && evaluate(run) !== undefined;
}
