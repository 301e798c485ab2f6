import type { Language } from '@quire/document/invoices/labels';

/** Between thousands, before decimals, before the percent sign. Blanks do not break a line. */
const signs: Readonly<
  Record<Language, { readonly thousands: string; readonly point: string; readonly percent: string }>
> = {
  de: { thousands: '.', point: ',', percent: '\u00a0%' },
  en: { thousands: ',', point: '.', percent: '%' },
  fr: { thousands: '\u00a0', point: ',', percent: '\u00a0%' },
};

const englishDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * A decimal number as people of the language write it, digit by digit: no digit is added, dropped or rounded. A text
 * that is not a decimal number stays as it is.
 */
export function formatNumber(text: string, language: Language): string {
  const [, sign, whole, fraction] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (sign === undefined || whole === undefined) return text;
  const { thousands, point } = signs[language];
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return `${sign}${grouped}${fraction === undefined ? '' : `${point}${fraction}`}`;
}

/** `19` as `19 %`. */
export function formatPercentage(text: string, language: Language): string {
  return `${formatNumber(text, language)}${signs[language].percent}`;
}

/** `2025-01-31` as `31.01.2025`, `31 January 2025` or `31/01/2025`; what is not a date stays as it is. */
export function formatDate(text: string, language: Language): string {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return text;
  if (language === 'en') return englishDate.format(date);
  return [day, month, year].join(language === 'de' ? '.' : '/');
}

/** An IBAN in groups of four (ISO 13616-1, 6); any other account number as it is. */
export function formatAccount(text: string): string {
  const plain = text.replace(/\s/g, '');
  return /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(plain) ? (plain.match(/.{1,4}/g) ?? []).join(' ') : text;
}

/** The size of a base64 text in bytes, as `12,3 kB`. */
export function formatSize(base64: string, language: Language): string {
  const bytes = Math.floor((base64.replace(/[\s=]/g, '').length * 3) / 4);
  const [size, unit] =
    bytes < 1000 ? [`${bytes}`, 'B'] : bytes < 1e6 ? [tenths(bytes / 1000), 'kB'] : [tenths(bytes / 1e6), 'MB'];
  return `${formatNumber(size, language)}\u00a0${unit}`;
}

function tenths(value: number): string {
  return value.toFixed(1);
}
