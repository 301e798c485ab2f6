/** The format of UN/EDIFACT 2379 for CCYYMMDD, the only one that EN 16931 allows in CII. */
export const DAY_FORMAT = '102';

/** `20240131` as `2024-01-31` if it is a date that exists; any other text as it is. */
export function readDay(text: string, format: string | undefined): string {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  if (year === undefined || (format ?? DAY_FORMAT) !== DAY_FORMAT) return text;
  const iso = `${year}-${month}-${day}`;
  return isDay(iso) ? iso : text;
}

/** `2024-01-31+01:00`, which XML Schema allows, without the zone; any other text as it is. */
export function withoutZone(text: string): string {
  const day = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1];
  return day !== undefined && isDay(day) ? day : text;
}

/** `2024-01-31` as `20240131`; any other text as it is. */
export function writeDay(text: string): string {
  return isDay(text) ? text.replaceAll('-', '') : text;
}

/** Whether the text is a date `YYYY-MM-DD` that exists. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
