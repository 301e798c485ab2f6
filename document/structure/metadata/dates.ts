/**
 * Gives a date as PDF writes it (ISO 32000-1, 7.9.4) in the way of XMP (ISO 8601), or undefined for what is no date.
 */
export function isoDate(text: string | undefined): string | undefined {
  const found = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/.exec(text?.trim() ?? '');
  if (found === null) return undefined;
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    ,
    sign,
    zoneHours,
    zoneMinutes = '00',
  ] = found;
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}${sign === undefined ? 'Z' : `${sign}${zoneHours}:${zoneMinutes}`}`;
  return Number.isFinite(Date.parse(date)) ? date : undefined;
}
