import { type AuditOptions, contextOf, differ, type Discrepancy } from './discrepancy.js';
import { ONCE } from './labels.js';
import { NUMBER, plainDigits, type PrintedNumber, readNumber } from './read-number.js';
import type { AuditTable } from './tallies.js';

/** A line that ends in an amount of money. */
interface LabelledLine {
  readonly label: string;
  readonly amount: string;
  readonly text: string;
}

const ENDING = new RegExp(String.raw`^(.*[\p{L}%):].*?)[\s.…:_]+${NUMBER}$`, 'u');
const LONGEST_LINE = 200;
/** Lines that make a list. */
const FEWEST = 3;

function labelled(line: string, options: AuditOptions): LabelledLine | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const match = ENDING.exec(plainDigits(line).replace(/\s+/g, ' ').trim());
  if (match === null) return undefined;
  const label = (match[1] ?? '').trim();
  const amount = match[0]
    .slice(label.length)
    .replace(/^[\s.…:_]+/, '')
    .trim();
  const number = readNumber(amount, options.mark);
  // Money alone: other numbers at line ends are pages, dates, quantities. Digits that may belong to it or to what
  // stands before are left.
  if (
    number === undefined ||
    number.percent ||
    (number.decimals !== 2 && number.currency === '') ||
    /\d\s+\d/.test(amount)
  )
    return undefined;
  return { label, amount, text: line };
}

/** Lists of amounts that stand line by line under each other and in no table, as tables of one column. */
export function listsOfAmounts(lines: readonly string[], page: number, options: AuditOptions): readonly AuditTable[] {
  const lists: AuditTable[] = [];
  let rows: { page: number; cells: string[] }[] = [];
  const close = (): void => {
    if (rows.length >= FEWEST) lists.push({ head: ['', ''], rows });
    rows = [];
  };
  for (const line of lines) {
    const found = labelled(line, options);
    if (found === undefined) close();
    else rows.push({ page, cells: [found.label, found.amount] });
  }
  close();
  return lists;
}

/** Amounts that a document should name once, gathered over its pages. */
export class OnceAmounts {
  readonly #seen = new Map<
    string,
    { readonly number: PrintedNumber; readonly page: number; readonly text: string }[]
  >();

  constructor(private readonly options: AuditOptions) {}

  /** Adds the lines of a page. */
  add(lines: readonly string[], page: number): void {
    for (const line of lines) {
      const found = labelled(line, this.options);
      const name = found === undefined ? undefined : ONCE.exec(found.label)?.[0].toLowerCase().replace(/\s+/g, ' ');
      const number = found === undefined ? undefined : readNumber(found.amount, this.options.mark);
      if (name === undefined || number === undefined || this.#seen.size > 1000) continue;
      const seen = this.#seen.get(name) ?? [];
      if (seen.length < 1000) seen.push({ number, page, text: line });
      this.#seen.set(name, seen);
    }
  }

  /** Amounts of one name that differ from the one that is named most often, of equals the first. */
  contradictions(): readonly Discrepancy[] {
    return [...this.#seen].flatMap(([name, seen]) => {
      const count = (one: (typeof seen)[number]): number =>
        seen.filter(
          ({ number }) => number.value.top === one.number.value.top && number.value.bottom === one.number.value.bottom,
        ).length;
      const usual = seen.reduce((best, one) => (count(one) > count(best) ? one : best));
      return seen
        .filter(
          ({ number }) =>
            differ(number.value, usual.number.value, this.options.tolerance) &&
            (number.currency === '' || usual.number.currency === '' || number.currency === usual.number.currency),
        )
        .map(({ number, page, text }): Discrepancy => ({
          page,
          kind: 'consistency',
          severity: 'warning',
          description: `"${name}" is ${number.text} here and ${usual.number.text} on page ${usual.page}`,
          stated: number.text,
          expected: usual.number.text,
          context: contextOf(text),
        }));
    });
  }
}
