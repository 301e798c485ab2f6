/** Types of values that can be asked for. */
export const FIELD_TYPES = ['string', 'number', 'date', 'boolean', 'currency', 'list'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** An amount of money; the currency (ISO 4217) is undefined where none is printed. */
export interface Amount {
  readonly amount: number;
  readonly currency?: string;
}

export type FieldValue = string | number | boolean | Amount | readonly string[];

/** How a document writes what can be read in two ways. */
export interface Locale {
  /** 1.234,56 and not 1,234.56. */
  readonly decimalComma: boolean;
  /** 3/4/2026 is the fourth of March. */
  readonly monthFirst: boolean;
}

const NUMBER = String.raw`[-\u2212+]?\(?\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d{1,4})?\)?(?!\d)|[-\u2212+]?\(?\d{1,15}(?:[.,]\d{1,6})?\)?(?!\d)`;
const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₽': 'RUB',
  '₩': 'KRW',
  '₺': 'TRY',
  '₴': 'UAH',
  '₪': 'ILS',
  zł: 'PLN',
  Kč: 'CZK',
  kr: 'SEK',
  Fr: 'CHF',
  'Fr.': 'CHF',
  US$: 'USD',
  A$: 'AUD',
  C$: 'CAD',
  R$: 'BRL',
  Ft: 'HUF',
  lei: 'RON',
};
const CODES =
  'EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|INR|' +
  'AUD|CAD|NZD|BRL|MXN|ZAR|SGD|HKD|KRW|ILS|UAH|RUB|AED|SAR|THB';
const MONEY = `(?:US\\$|A\\$|C\\$|R\\$|[€$£¥₹₽₩₺₴₪]|zł|Kč|kr\\b|Fr\\.?|Ft\\b|lei\\b|\\b(?:${CODES})\\b)`;
const AMOUNT = new RegExp(`(${MONEY})\\s?(${NUMBER})|(${NUMBER})\\s?(?:,[-\u2013]{1,2})?\\s?(${MONEY})`, 'u');

/**
 * A number, an amount or a date is looked for in so much of a text; what looks for amounts takes the square of its
 * length.
 */
const LONGEST = 2000;

/** Detects how a text writes numbers and dates, from values that have only one reading. */
export function localeOf(text: string): Locale {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const [comma, point] = [count(/\d,\d{2}(?![\d.,])/g), count(/\d\.\d{2}(?![\d.,])/g)];
  let [monthFirst, dayFirst] = [0, 0];
  for (const { 1: a, 2: b } of text.matchAll(/\b(\d{1,2})\/(\d{1,2})\/\d{2,4}\b/g)) {
    if (Number(b) > 12) monthFirst++;
    if (Number(a) > 12) dayFirst++;
  }
  return {
    decimalComma: comma > point,
    monthFirst: monthFirst > dayFirst || (monthFirst === dayFirst && /\$/.test(text) && comma <= point),
  };
}

/** The first number of a text. */
export function parseNumber(text: string, { decimalComma }: Pick<Locale, 'decimalComma'>): number | undefined {
  const found = new RegExp(NUMBER).exec(text)?.[0];
  if (found === undefined) return undefined;
  const negative = /^[-\u2212]|^\(.*\)$/.test(found) || /^\([\d.,]/.test(found);
  let digits = found.replace(/[()+\-\u2212'\u2019\s\u00a0\u202f]/g, '');
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')];
  const only = comma >= 0 && point >= 0 ? undefined : comma >= 0 ? ',' : point >= 0 ? '.' : undefined;
  const decimal =
    comma >= 0 && point >= 0
      ? comma > point
        ? ','
        : '.'
      : only === undefined
        ? '.'
        : digits.split(only).length > 2
          ? ''
          : isThousands(digits, only, decimalComma)
            ? ''
            : only;
  digits = [...digits]
    .filter((sign) => /\d/.test(sign) || sign === decimal)
    .join('')
    .replace(',', '.');
  const value = Number(digits);
  return Number.isFinite(value) ? (negative ? -value : value) : undefined;
}

/** 1,234 and 1.234: three digits behind the only sign are thousands, unless the sign is the one for decimals here. */
function isThousands(digits: string, sign: string, decimalComma: boolean): boolean {
  return /^\d{1,3}[.,]\d{3}$/.test(digits) && !/^0/.test(digits) && (sign === ',') !== decimalComma;
}

/** The first amount with a currency, else the first number. */
export function parseAmount(text: string, locale: Pick<Locale, 'decimalComma'>): Amount | undefined {
  const found = AMOUNT.exec(text);
  const sign = found?.[1] ?? found?.[4];
  const amount = parseNumber(found?.[2] ?? found?.[3] ?? text, locale);
  if (amount === undefined) return undefined;
  return sign === undefined ? { amount } : { amount, currency: SYMBOLS[sign] ?? sign };
}

/** True if the text contains an amount with its currency. */
export const hasAmount = (text: string): boolean => AMOUNT.test(text.slice(0, LONGEST));

const MONTHS = [
  'jan|january|januar|jänner|janvier|janv|enero|ene|gennaio|gen|janeiro',
  'feb|february|februar|février|févr|fevrier|febrero|febbraio|fevereiro',
  'mar|march|märz|mär|maerz|mars|marzo|março',
  'apr|april|avril|avr|abril|abr|aprile',
  'may|mai|mayo|maggio|maio',
  'jun|june|juni|juin|junio|giugno|junho',
  'jul|july|juli|juillet|juil|julio|luglio|julho',
  'aug|august|août|aout|agosto|ago',
  'sep|sept|september|septembre|septiembre|settembre|setembro',
  'oct|okt|october|oktober|octobre|octubre|ottobre|outubro',
  'nov|november|novembre|noviembre|novembro',
  'dec|dez|december|dezember|décembre|déc|diciembre|dic|dicembre|dezembro',
].map((names) => new RegExp(`^(?:${names})$`, 'iu'));

/** The first date of a text, as ISO 8601 (yyyy-mm-dd). */
export function parseDate(text: string, { monthFirst }: Pick<Locale, 'monthFirst'>): string | undefined {
  const iso = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/.exec(text);
  if (iso !== null) return dateOf(iso[1], iso[2], iso[3]);
  const plain = /\b(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})\b/.exec(text);
  if (plain !== null) {
    const [, a = '', sign, b = '', year] = plain;
    const swapped = Number(b) > 12 || (sign === '/' && monthFirst && Number(a) <= 12);
    return swapped ? dateOf(year, a, b) : dateOf(year, b, a);
  }
  const named =
    /\b(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+|of\s+)?(\p{L}{3,10})\.?,?\s+(?:de\s+|del\s+)?(\d{4})\b/u.exec(text);
  if (named !== null) return dateOf(named[3], month(named[2]), named[1]);
  const american = /(?<!\p{L})(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b/u.exec(text);
  return american === null ? undefined : dateOf(american[3], month(american[1]), american[2]);
}

function month(name = ''): string {
  return String(MONTHS.findIndex((pattern) => pattern.test(name)) + 1);
}

function dateOf(year = '', month = '', day = ''): string | undefined {
  const full = year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);
  const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)));
  if (Number(month) < 1 || full < 1000 || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined;
  return (
    `${String(full).padStart(4, '0')}-${String(Number(month)).padStart(2, '0')}-` +
    `${String(Number(day)).padStart(2, '0')}`
  );
}

const TRUE = /^(?:yes|true|ja|oui|s[ií]|sim|on|checked|x|✓|✔|☑|☒|\[x\]|wahr|vrai|verdadero)$/iu;
const FALSE = /^(?:no|false|nein|non|nao|não|off|unchecked|☐|\[ ?\]|falsch|faux|falso)$/iu;

/** Converts a printed value to the wanted type; undefined if it is not one. */
export function typedValue(text: string, type: FieldType, locale: Locale): FieldValue | undefined {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain === '') return undefined;
  const first = plain.slice(0, LONGEST);
  switch (type) {
    case 'string':
      return plain;
    case 'number':
      return parseNumber(first, locale);
    case 'currency':
      return parseAmount(first, locale);
    case 'date':
      return parseDate(first, locale);
    case 'boolean': {
      const word = plain.replace(/[.!]$/, '');
      return TRUE.test(word) ? true : FALSE.test(word) ? false : undefined;
    }
    case 'list':
      return text
        .replace(/[^\S\n]+/g, ' ')
        .split(/\s*[;\n•]\s*|\s*,\s+/)
        .map((item) => item.replace(/\s+/g, ' ').trim())
        .filter((item) => item !== '');
  }
}

/** The account number in a text (ISO 13616), its check digits right; without blanks. */
export function findIban(text: string): string | undefined {
  for (const { 0: found } of text.matchAll(/\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]){11,30}\b/g)) {
    const whole = found.replace(/\s/g, '');
    // The text after the value may look like more of it.
    for (let length = Math.min(34, whole.length); length >= 15; length--)
      if (isIban(whole.slice(0, length))) return whole.slice(0, length);
  }
  return undefined;
}

/** Lengths of the countries that use it most; others are held to the check digits alone. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  DE: 22,
  FR: 27,
  ES: 24,
  IT: 27,
  NL: 18,
  BE: 16,
  AT: 20,
  CH: 21,
  GB: 22,
  IE: 22,
  PT: 25,
  PL: 28,
  LU: 20,
  DK: 18,
  SE: 24,
  NO: 15,
  FI: 18,
  CZ: 24,
  LI: 21,
  HU: 28,
  GR: 27,
  RO: 24,
};

function isIban(text: string): boolean {
  const length = IBAN_LENGTHS[text.slice(0, 2)];
  if (length !== undefined && text.length !== length) return false;
  let rest = 0;
  for (const sign of text.slice(4) + text.slice(0, 4)) rest = Number(`${rest}${parseInt(sign, 36)}`) % 97;
  return rest === 1;
}
