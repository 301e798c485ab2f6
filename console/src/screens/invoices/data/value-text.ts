import type { TermType } from '@quire/document/invoices/model';
import { formatDate, language } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import { codeNames } from './codes.ts';

const NUMBERS: ReadonlySet<TermType> = new Set(['amount', 'price', 'quantity', 'percentage']);

/** A value as people read it. What is not written as the standard says stays as it is. */
export function valueText(text: string, key: string, type: TermType): string {
  if (type === 'date') return dateText(text) ?? text;
  if (NUMBERS.has(type)) {
    const number = decimalText(text);
    return number === undefined ? text : type === 'percentage' ? `${number} %` : number;
  }
  const name = type === 'code' ? nameOfCode(text, key) : undefined;
  return name === undefined ? text : `${text} · ${name}`;
}

/** A decimal with all its places: it never becomes a number of JavaScript, which would round it. */
export function decimalText(text: string): string | undefined {
  if (!/^[+-]?\d{1,30}(\.\d{1,20})?$/.test(text)) return undefined;
  const places = text.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(language.value, { minimumFractionDigits: places, maximumFractionDigits: places }).format(
    text as Intl.StringNumericLiteral,
  );
}

function dateText(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  // 31 February is a day in March for JavaScript.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return undefined;
  return formatDate(date, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** What a code means, in the language of the page; undefined for one that is not known here. */
export function nameOfCode(code: string, key: string): string | undefined {
  const known = codeNames[key]?.[code];
  if (known !== undefined) return t(known);
  const type = /country/i.test(key) ? 'region' : /currency/i.test(key) ? 'currency' : undefined;
  if (type === undefined) return undefined;
  try {
    return new Intl.DisplayNames(language.value, { type, fallback: 'none' }).of(code);
  } catch {
    // Not a code.
    return undefined;
  }
}

/** How a value may be written on a page, the most likely first. */
export function writtenForms(text: string, type: TermType): readonly string[] {
  if (type === 'date') return datesOf(text);
  if (NUMBERS.has(type)) return numbersOf(text);
  const spaced = text.replaceAll(/(.{4})(?=.)/g, '$1 ');
  return /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(text) ? [spaced, text] : [text];
}

function datesOf(text: string): readonly string[] {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return [text];
  const [m, d] = [String(Number(month)), String(Number(day))];
  return [`${day}.${month}.${year}`, text, `${day}/${month}/${year}`, `${d}.${m}.${year}`, `${day}-${month}-${year}`];
}

function numbersOf(text: string): readonly string[] {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') return [text];
  // At least two places, as amounts are printed.
  const cents = places.padEnd(2, '0').replace(/(?<=\d\d)0+$/, '');
  const grouped = (mark: string): string => whole.replaceAll(/\B(?=(\d{3})+$)/g, mark);
  const forms = [
    `${sign}${grouped('.')},${cents}`,
    `${sign}${grouped(',')}.${cents}`,
    `${sign}${grouped(' ')},${cents}`,
    `${sign}${whole},${cents}`,
    `${sign}${whole}.${cents}`,
    text,
  ];
  return [...new Set(/^0*$/.test(places) ? [...forms, `${sign}${whole}`] : forms)];
}

/** The name of a unit; the code of one that is seldom. */
export function unitName(code: string): string {
  return nameOfCode(code, 'unit') ?? code;
}
