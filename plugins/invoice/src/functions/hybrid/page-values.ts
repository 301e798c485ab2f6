/** Finds values of an invoice in the text of its pages, in the notations of several countries. */

/** Languages whose names of months are known. */
const LANGUAGES = ['de', 'en', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'cs', 'da', 'sv'];
/** Separators of thousands, each with the decimal separators that go with it. */
const GROUPS = [
  ['', '[.,]'],
  [String.raw`\.`, ','],
  [',', String.raw`\.`],
  ["['’]", '[.,]'],
  // Any white space: `PageValues` makes it a plain blank.
  [' ', '[.,]'],
] as const;
/** A number with a fraction of two places, as totals are printed. */
const AMOUNTS = /(?<![\d.,])\d{1,3}(?:[.,'’ ]?\d{3}){0,4}[.,]\d{2}(?![\d])/g;
const DATES = /(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}-\d{2}-\d{2})(?!\d)/g;
const IBANS = /(?<![A-Z\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]{2,4}){3,8}(?![A-Z\d])/g;
/** Fewer letters are a stamp or a page number on a scan. */
const MIN_LETTERS = 40;
/** The shortest IBAN, that of Norway. VAT identifiers look the same and are shorter. */
const MIN_IBAN = 15;
/** Most values of the page that a message names. */
const MOST_NAMED = 3;
/** Characters of text that are searched. */
const MAX_TEXT = 2_000_000;

/** The text of the pages of a PDF. */
export class PageValues {
  /** With one blank for white space of any kind and length. */
  readonly #text: string;
  /** Without white space, in small letters. */
  readonly #packed: string;

  constructor(pages: readonly string[]) {
    this.#text = pages.join(' ').slice(0, MAX_TEXT).normalize('NFKC').replace(/\s+/gu, ' ');
    this.#packed = packed(this.#text);
  }

  /** False for scans and drawn text: then nothing is said about what the page shows. */
  get isReadable(): boolean {
    return (this.#text.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS && /\d/.test(this.#text);
  }

  /** Whether a number or a name is somewhere, with any white space in it. */
  hasText(text: string): boolean {
    return this.#packed.includes(packed(text));
  }

  /** Whether an amount (decimal text) is somewhere: `1234.5` as `1.234,50`, `1,234.50`, `1 234,50` or `1'234.50`. */
  hasAmount(amount: string): boolean {
    const pattern = amountPattern(amount);
    return pattern !== undefined && pattern.test(this.#text);
  }

  /** Whether a date (`YYYY-MM-DD`) is somewhere, in figures or with the name of its month. */
  hasDate(date: string): boolean {
    const pattern = datePattern(date);
    return pattern !== undefined && pattern.test(this.#text);
  }

  /** The largest amounts, in the notation of the page. */
  largestAmounts(): readonly string[] {
    const found = [...new Set(this.#text.match(AMOUNTS) ?? [])];
    const size = (text: string): number => Number(text.replace(/[^\d]/g, ''));
    return found.sort((a, b) => size(b) - size(a)).slice(0, MOST_NAMED);
  }

  dates(): readonly string[] {
    return [...new Set(this.#text.match(DATES) ?? [])].slice(0, MOST_NAMED);
  }

  ibans(): readonly string[] {
    const found = (this.#text.match(IBANS) ?? []).map((text) => text.replace(/ (?:BIC|IBAN|SWIFT).*$/, ''));
    return [...new Set(found)].filter((text) => packed(text).length >= MIN_IBAN).slice(0, MOST_NAMED);
  }

  /** What follows the words for an invoice's number. */
  numbers(): readonly string[] {
    const labelled =
      /(?:rechnungs?-?\s?(?:nummer|nr\.?)|rechnung nr\.?|invoice (?:number|no\.?|#)|facture (?:n[°o]\.?)|beleg-?nr\.?)[\s:#]*([\p{L}\d][\p{L}\d./_-]{0,29})/giu;
    return [...new Set([...this.#text.matchAll(labelled)].map(([, number = '']) => number))].slice(0, MOST_NAMED);
  }
}

const packed = (text: string): string => text.normalize('NFKC').replace(/\s+/gu, '').toLowerCase();

function amountPattern(amount: string): RegExp | undefined {
  const [, whole = '', fraction = ''] = /^[+-]?0*(\d+)(?:\.(\d*))?$/.exec(amount.trim()) ?? [];
  if (whole === '' || whole.length > 20) return undefined;
  const significant = fraction.replace(/0+$/, '');
  const groups = whole.split(/\B(?=(?:\d{3})+$)/);
  const forms = (groups.length === 1 ? GROUPS.slice(0, 1) : GROUPS).map(([group, decimal]) => {
    const decimals = significant === '' ? `(?:${decimal}(?:0{1,4}|-{1,2}|–))?` : `${decimal}${significant}0{0,4}`;
    return groups.join(group) + decimals;
  });
  return new RegExp(String.raw`(?<!\d)(?<!\d[.,'’])(?:${forms.join('|')})(?!\d)(?![.,]\d)`);
}

function datePattern(date: string): RegExp | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (year === '') return undefined;
  const [d, m] = [String(Number(day)), String(Number(month))];
  const [days, months] = [`0?${d}`, `0?${m}`];
  const years = `(?:${year}|${year.slice(2)})`;
  const gap = String.raw`\s?[./-]\s?`;
  const names = monthNames(Number(month)).join('|');
  const forms = [
    `${days}${gap}${months}${gap}${years}`,
    `${months}${gap}${days}${gap}${years}`,
    `${year}${gap}${months}${gap}${days}`,
    `${year}${month}${day}`,
    String.raw`${days}(?:st|nd|rd|th|er|\.|º|°)?[\s-]*(?:de )?(?:${names})\.?,?[\s-]*(?:de )?${years}`,
    String.raw`(?:${names})\.?[\s-]*${days}(?:st|nd|rd|th)?,?[\s-]*${years}`,
  ];
  return new RegExp(String.raw`(?<!\d)(?:${forms.join('|')})(?!\d)`, 'iu');
}

/** Long and short names of a month, 1 to 12, as written in dates. */
function monthNames(month: number): readonly string[] {
  const day = new Date(Date.UTC(2024, month - 1, 15));
  const names = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) =>
      new Intl.DateTimeFormat(language, { day: 'numeric', month: style, timeZone: 'UTC' })
        .formatToParts(day)
        .filter(({ type }) => type === 'month')
        .map(({ value }) => value.replace(/\.$/, '')),
    ),
  );
  // In some languages the short form is a figure.
  const words = [...new Set(names)].filter((name) => /\p{L}/u.test(name));
  return words.map((name) => name.normalize('NFKC').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
}
