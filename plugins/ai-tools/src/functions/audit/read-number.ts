import { decimal, negated, type Rational } from './rational.js';

/** The sign that parts the decimals off. */
export type Mark = '.' | ',';

/** A number as it is printed, and what it is. */
export interface PrintedNumber {
  readonly text: string;
  readonly value: Rational;
  readonly decimals: number;
  readonly percent: boolean;
  /** Symbol or code of a currency; empty where none is printed. */
  readonly currency: string;
  /** True when it could be read with the other mark too: `1,234`. */
  readonly ambiguous: boolean;
}

const CURRENCY = String.raw`[$€£¥₹₩₽₺₫₪฿₴]|US\$|A\$|C\$|R\$|zł|Kč|Ft|kr\.?|Fr\.?|(?:USD|EUR|GBP|JPY|CHF|CNY|RMB|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BRL|MXN|ZAR|SGD|HKD|TRY|RUB|KRW|ILS|AED|SAR)`;
const BLANK = '[ \\u00a0\\u2009\\u202f]';
/** Digits with grouping; groups of three, or of two and three as in India. */
const BODY = String.raw`(?:\d{1,3}(?:[.,'’]\d{3})+(?!\d)|\d{1,3}(?:${BLANK}\d{3})+(?!\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)|\d+)(?:[.,]\d+)?`;
/**
 * A number with its sign, currency and percent sign. Groups: opening bracket, sign, currency, sign, body, minus behind,
 * closing bracket, percent, currency.
 */
export const NUMBER = String.raw`(\(?)([-−–]?)(?:(${CURRENCY})${BLANK}?)?([-−–]?)(${BODY})(-(?![\d\p{L}]))?(\)?)(?:${BLANK}?([%‰]))?(?:${BLANK}?(${CURRENCY})(?![\p{L}]))?`;

const whole = new RegExp(`^${NUMBER}$`, 'u');
const LONGEST = 60;

/** Digits of any script as those of ASCII, and Arabic marks as Latin ones. Lengths stay. */
export function plainDigits(text: string): string {
  // Plain ASCII needs no work
  if (/^[\u0000-\u007f]*$/.test(text)) return text;
  return text
    .replace(/[٠-٩۰-۹०-९０-９]/g, (digit) => {
      const code = digit.charCodeAt(0);
      const zero = [0x660, 0x6f0, 0x966, 0xff10].find((start) => code >= start && code < start + 10) ?? code;
      return String(code - zero);
    })
    .replace(/\u066b/g, '.')
    .replace(/[\u066c]/g, ',')
    .replace(/\u066a/g, '%');
}

/** Reads a text that is a number and nothing else (a cell); undefined for any other. */
export function readNumber(text: string, mark: Mark): PrintedNumber | undefined {
  const trimmed = plainDigits(text).trim().replace(/\s+/g, ' ');
  if (trimmed.length === 0 || trimmed.length > LONGEST) return undefined;
  const match = whole.exec(trimmed);
  return match === null ? undefined : numberOf(match, mark);
}

/** Converts a match of `NUMBER`; undefined if its separators are contradictory: `1.2,3`. */
export function numberOf(match: readonly (string | undefined)[], mark: Mark, first = 1): PrintedNumber | undefined {
  const [open = '', sign = '', before = '', inner = '', body = '', behind = '', close = '', percent = '', after = ''] =
    match.slice(first, first + 9);
  const bracketed = open !== '' && close !== '';
  if ((open !== '') !== (close !== '')) return undefined;
  const read = readBody(body, mark);
  if (read === undefined) return undefined;
  const negative = bracketed || sign !== '' || inner !== '' || behind !== '';
  const value = decimal(read.digits, read.decimals + (percent === '‰' ? 1 : 0));
  return {
    text: (match[0] ?? '').trim(),
    value: negative ? negated(value) : value,
    decimals: read.decimals,
    percent: percent !== '',
    currency: before || after,
    ambiguous: read.ambiguous,
  };
}

function readBody(
  body: string,
  mark: Mark,
): { readonly digits: string; readonly decimals: number; readonly ambiguous: boolean } | undefined {
  if (body.length > 40) return undefined;
  const marks = [...body.matchAll(/[.,]/g)].map(([sign]) => sign);
  const last = marks.at(-1);
  const tail = last === undefined ? 0 : body.length - body.lastIndexOf(last) - 1;
  const bare = (text: string): string => text.replace(/[^\d]/g, '');
  if (last === undefined) return { digits: bare(body), decimals: 0, ambiguous: false };
  const groupedElse = /['’ \u00a0\u2009\u202f]/.test(body);
  const asDecimals = { digits: bare(body), decimals: tail, ambiguous: false };
  const asGroups = { digits: bare(body), decimals: 0, ambiguous: false };
  if (new Set(marks).size === 2 || groupedElse)
    return marks.filter((sign) => sign === last).length > 1 ? undefined : asDecimals;
  if (marks.length > 1) return asGroups;
  // One mark before three digits may be either; nothing is grouped behind a leading 0 or four digits.
  if (tail !== 3 || /^0|^\d{4,}/.test(body)) return asDecimals;
  return { ...(last === mark ? asDecimals : asGroups), ambiguous: true };
}

/** Longer lines are nothing that people wrote, and figures without blanks take the square of their length. */
const LONGEST_LINE = 5000;

/** Returns the decimal separator that a text uses most; the full stop by default. */
export function usualMark(text: string): Mark {
  let balance = 0;
  const lines = plainDigits(text)
    .split('\n')
    .filter((line) => line.length <= LONGEST_LINE)
    .join('\n');
  for (const [body] of lines.matchAll(/(?<![\d.,])\d+(?:[.,]\d+)+(?![\d.,]*\d)/g)) {
    const marks = [...body.matchAll(/[.,]/g)].map(([sign]) => sign);
    const last = marks.at(-1);
    const tail = body.length - body.lastIndexOf(last ?? '') - 1;
    const different = new Set(marks).size === 2;
    if (!different && (marks.length > 1 || tail === 3)) continue;
    balance += last === ',' ? -1 : 1;
  }
  return balance < 0 ? ',' : '.';
}
