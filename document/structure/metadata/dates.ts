/** Converts a PDF date (ISO 32000-1, 7.9.4) to the form of XMP (ISO 8601), or returns undefined if it is invalid. */
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
  const zone = sign === undefined ? 'Z' : `${sign}${zoneHours}:${zoneMinutes}`;
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
  return Number.isFinite(Date.parse(date)) ? date : undefined;
}
