import { language } from './texts.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A number of bytes as people read it: `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit: UNITS[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1000 ** step);
}

export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(language.value, options).format(value);
}

/** A share between 0 and 1 as per cent. */
export function formatPercent(share: number): string {
  return formatNumber(share, { style: 'percent', maximumFractionDigits: 0 });
}

export function formatDate(date: Date | number | string, options: Intl.DateTimeFormatOptions = {}): string {
  const given = Object.keys(options).length > 0;
  return new Intl.DateTimeFormat(language.value, given ? options : { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(date),
  );
}

/** A duration: `12 s`, `3 min`. */
export function formatDuration(ms: number): string {
  const [value, unit] =
    ms < 60_000 ? [ms / 1000, 'second'] : ms < 3_600_000 ? [ms / 60_000, 'minute'] : [ms / 3_600_000, 'hour'];
  return formatNumber(value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** A list of names: `a, b and c`. */
export function formatList(parts: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(language.value, { type }).format(parts);
}

/** Compares texts in the order of the current language. */
export function compareTexts(a: string, b: string): number {
  return a.localeCompare(b, language.value, { numeric: true, sensitivity: 'base' });
}
