/** Abbreviations are known only where they are in use: CET in Europe, EST in America. */
const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA'] as const;

/**
 * A time as the contract writes it, `EEE MMM dd HH:mm:ss zzz yyyy` (Sun Nov 22 04:24:13 UTC 2026), in a time zone; the
 * server's by default.
 */
export function dateText(date: Date, zone: string = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    year: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const names = ENGLISH.map(
    (locale) =>
      new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' })
        .formatToParts(date)
        .find(({ type }) => type === 'timeZoneName')?.value ?? '',
  );
  const name = names.find((each) => !/^GMT[+-]/.test(each)) ?? names[0] ?? '';
  return (
    `${parts['weekday']} ${parts['month']} ${parts['day']} ` +
    `${parts['hour']}:${parts['minute']}:${parts['second']} ${name} ${parts['year']}`
  );
}
