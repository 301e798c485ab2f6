import { type AuditOptions, contextOf, differ, type Discrepancy, isRounded } from './discrepancy.js';
import { AMOUNT, CHANGED, DEDUCTION, NOT_ADDED, PART, PRICE, QUANTITY, TOTAL } from './labels.js';
import { absolute, compare, minus, negated, plus, type Rational, sum, times, written } from './rational.js';
import { type PrintedNumber, readNumber } from './read-number.js';

/** A table as the audit sees it: texts in rows and columns, and the page of each row. */
export interface AuditTable {
  readonly head: readonly string[];
  readonly rows: readonly { readonly page: number; readonly cells: readonly string[] }[];
}

type Row = {
  readonly page: number;
  readonly label: string;
  readonly text: string;
  readonly numbers: readonly (PrintedNumber | undefined)[];
};
type Entry = { readonly value: Rational; readonly isTotal: boolean; readonly part: boolean; readonly label: string };

/** Finds columns whose totals, and rows whose products and totals, do not come out. */
export function checkTable(table: AuditTable, options: AuditOptions): readonly Discrepancy[] {
  const rows = table.rows.map(({ page, cells }): Row => {
    const numbers = cells.map((cell) => readNumber(cell, options.mark));
    return {
      page,
      label: cells.find((cell, i) => numbers[i] === undefined && cell.trim() !== '') ?? '',
      text: cells.filter((cell) => cell.trim() !== '').join(' | '),
      numbers,
    };
  });
  const columns = table.rows.reduce((most, { cells }) => Math.max(most, cells.length), table.head.length);
  if (columns > 60) return [];
  const found: Discrepancy[] = [];
  for (let column = 0; column < columns; column++)
    if (!NOT_ADDED.test(table.head[column] ?? '')) found.push(...checkColumn(rows, column, options));
  return [...found, ...(checkProducts(table.head, rows, options) ?? checkAcross(table.head, rows, options))];
}

function checkColumn(rows: readonly Row[], column: number, { tolerance, mark }: AuditOptions): readonly Discrepancy[] {
  const above: Entry[] = [];
  const found: Discrepancy[] = [];
  let right = 0;
  for (const [at, { page, label, text, numbers }] of rows.entries()) {
    const number = numbers[column];
    if (number === undefined || number.percent) continue;
    const isTotal = TOTAL.test(label);
    if (isTotal && above.filter(({ part }) => !part).length >= 2) {
      const below = valuesBelow(rows, at, column);
      const candidates = totalsOf(above, below);
      if (candidates.some((value) => !differ(value, number.value, tolerance))) right++;
      else {
        const expected = candidates
          .slice(0, -1)
          .reduce<Rational | undefined>(
            (best, value) =>
              best === undefined || compare(distance(value, number), distance(best, number)) < 0 ? value : best,
            undefined,
          );
        if (expected !== undefined) {
          const severity = isRounded(expected, number.value, number.decimals, above.length) ? 'warning' : 'error';
          const shown = written(expected, number.decimals, mark);
          found.push({
            page,
            kind: 'tally',
            severity,
            description:
              `"${contextOf(label)}" is ${number.text}, but what stands above adds up to ` +
              `${shown}${severity === 'warning' ? ' (rounding may explain it)' : ''}`,
            stated: number.text,
            expected: shown,
            context: contextOf(text),
          });
        }
      }
    }
    above.push({
      value: DEDUCTION.test(label) && !isTotal && number.value.top > 0n ? negated(number.value) : number.value,
      isTotal: isTotal && above.length > 0,
      part: PART.test(label),
      label,
    });
    if (above.length > 20_000) break;
  }
  // If none of several totals is right, they are not totals of the rows above.
  return found.length > 1 && right === 0 ? found.map((one) => ({ ...one, severity: 'warning' as const })) : found;
}

const distance = (value: Rational, { value: stated }: PrintedNumber): Rational => absolute(minus(value, stated));

/** Candidates for the addends of a total; the last one is the rows below it, for tables whose totals come first. */
function totalsOf(above: readonly Entry[], below: readonly Rational[]): readonly Rational[] {
  const lines = above.filter(({ part }) => !part);
  const last = lines.findLastIndex(({ isTotal }) => isTotal);
  const since = lines.slice(last + 1).map(({ value }) => value);
  const before = lines[last];
  const plain = lines.filter(({ isTotal }) => !isTotal).map(({ value }) => value);
  const totals = lines.filter(({ isTotal }) => isTotal).map(({ value }) => value);
  const unsigned = (values: readonly Rational[]): Rational => sum(values.map(absolute));
  const candidates: Rational[] = [];
  if (before === undefined) candidates.push(sum(plain), unsigned(plain));
  else {
    // Below a subtotal: its additions, a repetition of it, or a total of lines, of subtotals, of all.
    candidates.push(
      plus(before.value, sum(since)),
      plus(before.value, unsigned(since)),
      minus(before.value, unsigned(since)),
    );
    if (since.length >= 2) candidates.push(sum(since), unsigned(since));
    candidates.push(sum(plain));
    if (totals.length >= 2) candidates.push(sum(totals), plus(sum(totals), sum(since)));
  }
  return [...candidates, sum(below)];
}

function valuesBelow(rows: readonly Row[], at: number, column: number): readonly Rational[] {
  const below: Rational[] = [];
  for (let next = at + 1; next < Math.min(rows.length, at + 200); next++) {
    const row = rows[next];
    if (row === undefined || TOTAL.test(row.label)) break;
    const value = row.numbers[column]?.value;
    if (value !== undefined) below.push(value);
  }
  return below;
}

/** Rows of quantity, price and amount; undefined where the head names none of them. */
function checkProducts(
  head: readonly string[],
  rows: readonly Row[],
  options: AuditOptions,
): readonly Discrepancy[] | undefined {
  const quantity = head.findIndex((text) => QUANTITY.test(text) && !PRICE.test(text));
  const price = head.findIndex((text, i) => i !== quantity && PRICE.test(text) && !/total|gesamt/i.test(text));
  const amount = head.findLastIndex((text, i) => i > Math.max(quantity, price) && AMOUNT.test(text));
  if (quantity < 0 || price < 0 || amount < 0) return undefined;
  if (head.some((text, i) => i !== price && i !== amount && CHANGED.test(text))) return [];
  const found: Discrepancy[] = [];
  let right = 0;
  for (const { page, text, label, numbers } of rows) {
    const [a, b, c] = [numbers[quantity], numbers[price], numbers[amount]];
    if (
      a === undefined ||
      b === undefined ||
      c === undefined ||
      a.percent ||
      b.percent ||
      c.percent ||
      TOTAL.test(label)
    )
      continue;
    const value = times(a.value, b.value);
    if (!differ(value, c.value, options.tolerance) || (c.decimals >= 2 && isRounded(value, c.value, c.decimals)))
      right++;
    else found.push(wrongRow(page, 'arithmetic', `${a.text} x ${b.text}`, value, c, text, options));
  }
  return trusted(found, right);
}

/** Rows whose last column is said to be their total. */
function checkAcross(head: readonly string[], rows: readonly Row[], options: AuditOptions): readonly Discrepancy[] {
  const last = head.length - 1;
  if (
    last < 3 ||
    !/^\s*(?:row )?(?:total|sum|summe|gesamt|insgesamt|somme|suma|totale|合計)\s*$/iu.test(head[last] ?? '')
  )
    return [];
  const found: Discrepancy[] = [];
  let right = 0;
  for (const { page, text, numbers } of rows) {
    const total = numbers[last];
    const parts = numbers.slice(0, last).filter((number, i) => number !== undefined && !NOT_ADDED.test(head[i] ?? ''));
    if (total === undefined || total.percent || parts.length < 2 || parts.some((number) => number?.percent === true))
      continue;
    const value = sum(parts.flatMap((number) => (number === undefined ? [] : [number.value])));
    if (!differ(value, total.value, options.tolerance)) right++;
    else
      found.push(
        wrongRow(page, 'tally', parts.map((number) => number?.text ?? '').join(' + '), value, total, text, options),
      );
  }
  return trusted(found, right);
}

/** Where hardly a row comes out, the columns mean something else than they seem to. */
function trusted(found: readonly Discrepancy[], right: number): readonly Discrepancy[] {
  return right === 0 && found.length > 1
    ? []
    : found.length > right
      ? found.map((one) => ({ ...one, severity: 'warning' as const }))
      : found;
}

function wrongRow(
  page: number,
  kind: Discrepancy['kind'],
  what: string,
  value: Rational,
  stated: PrintedNumber,
  text: string,
  { mark }: AuditOptions,
): Discrepancy {
  const shown = written(value, Math.max(stated.decimals, 2), mark);
  return {
    page,
    kind,
    severity: isRounded(value, stated.value, stated.decimals) ? 'warning' : 'error',
    description: `${what} is ${shown}, not ${stated.text}`,
    stated: stated.text,
    expected: shown,
    context: contextOf(text),
  };
}
