/** The allowed characters and the maximum length of a pattern (`docs/interface/misc.yml`, add-stamp). */
const ALLOWED = /^[yMdHhmsS/\-:\s.,'+EGuwWDFzZXa]{1,50}$/;

/** A local date and the parts that the letters need. */
interface Moment {
  readonly date: Date;
  /** IANA name of the time zone; the process's own if absent. */
  readonly zone: string | undefined;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Monday 1 to Sunday 7 (ISO 8601). */
  readonly weekday: number;
  readonly dayOfYear: number;
  /** Minutes east of Greenwich. */
  readonly offset: number;
}

type Letter = (count: number, moment: Moment) => string | undefined;

const monthName = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** A number with at least `count` digits; undefined if there are more letters than allowed. */
const digits = (value: number, count: number, most = 2): string | undefined =>
  count > most ? undefined : String(value).padStart(count, '0');
const year: Letter = (count, { year: value }) => (count === 2 ? digits(value % 100, 2) : digits(value, count, 19));
/** Short for up to three letters, in full for four, one character for five. */
const named = (count: number, name: string): string | undefined =>
  [undefined, name.slice(0, 3), name.slice(0, 3), name.slice(0, 3), name, name.slice(0, 1)][count];

/**
 * The meaning of each letter; the number of equal letters selects the form. Weeks are ISO 8601 weeks, names are
 * English.
 */
const letters: Readonly<Record<string, Letter>> = {
  G: (count) => ['AD', 'AD', 'AD', 'Anno Domini', 'A'][count - 1],
  y: year,
  u: year,
  M: (count, { month }) =>
    count <= 2 ? digits(month, count) : named(count, monthName.format(Date.UTC(2000, month - 1))),
  d: (count, { day }) => digits(day, count),
  D: (count, { dayOfYear }) => digits(dayOfYear, count, 3),
  E: (count, { weekday }) => named(count, weekdays[weekday - 1] ?? ''),
  F: (count, { day }) => digits(Math.ceil(day / 7), count, 1),
  W: (count, { day, weekday }) => digits(weekOfMonth(day, weekday), count, 1),
  w: (count, moment) => digits(isoWeek(moment), count),
  a: (count, { hour }) => (count === 1 ? (hour < 12 ? 'AM' : 'PM') : undefined),
  H: (count, { hour }) => digits(hour, count),
  h: (count, { hour }) => digits(hour % 12 === 0 ? 12 : hour % 12, count),
  m: (count, { minute }) => digits(minute, count),
  s: (count, { second }) => digits(second, count),
  S: (count, { millisecond }) =>
    count > 9 ? undefined : String(millisecond).padStart(3, '0').padEnd(9, '0').slice(0, count),
  z: (count, moment) => (count > 4 ? undefined : zoneName(moment, count === 4 ? 'long' : 'short')),
  Z: (count, { offset }) => {
    const short = offsetText(offset, '');
    const long = offsetText(offset, ':');
    return [short, short, short, `GMT${offset === 0 ? '' : long}`, offset === 0 ? 'Z' : long][count - 1];
  },
  X: (count, { offset }) => {
    if (count > 5) return undefined;
    if (offset === 0) return 'Z';
    const whole = offsetText(offset, count % 2 === 1 && count > 1 ? ':' : '');
    return count === 1 && whole.endsWith('00') ? whole.slice(0, 3) : whole;
  },
};

/**
 * Formats a date by a pattern of Java's date letters (java.time.format.DateTimeFormatter), as listed in
 * `docs/interface/misc.yml`, add-stamp: `yyyy-MM-dd`, `EEEE d MMMM`, `'at' HH:mm`. Uses the process's time zone unless
 * one is given. Returns undefined for an invalid pattern.
 */
export function formatDate(date: Date, pattern: string, zone?: string): string | undefined {
  if (!ALLOWED.test(pattern)) return undefined;
  const moment = momentOf(date, zone);
  let text = '';
  for (let at = 0; at < pattern.length;) {
    const character = pattern[at]!;
    if (character === "'") {
      const literal = quoted(pattern, at);
      if (literal === undefined) return undefined;
      text += literal.text;
      at = literal.end;
      continue;
    }
    const letter = letters[character];
    if (letter === undefined) {
      text += character;
      at++;
      continue;
    }
    let count = 1;
    while (pattern[at + count] === character) count++;
    const written = letter(count, moment);
    if (written === undefined) return undefined;
    text += written;
    at += count;
  }
  return text;
}

/** Text between apostrophes; two apostrophes are a literal one. Undefined if it is not closed. */
function quoted(pattern: string, start: number): { text: string; end: number } | undefined {
  if (pattern[start + 1] === "'") return { text: "'", end: start + 2 };
  let text = '';
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] !== "'") text += pattern[at];
    else if (pattern[at + 1] === "'") {
      text += "'";
      at++;
    } else return { text, end: at + 1 };
  }
  return undefined;
}

function momentOf(date: Date, zone: string | undefined): Moment {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(
    (part) => parts[part] ?? 0,
  ) as [number, number, number, number, number, number];
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  const today = new Date(Date.UTC(year, month - 1, day));
  return {
    date,
    zone,
    year,
    month,
    day,
    hour,
    minute,
    second,
    millisecond: date.getUTCMilliseconds(),
    weekday: today.getUTCDay() === 0 ? 7 : today.getUTCDay(),
    dayOfYear: Math.round((today.getTime() - Date.UTC(year, 0, 1)) / 86_400_000) + 1,
    offset: Math.round((local - Math.floor(date.getTime() / 1000) * 1000) / 60_000),
  };
}

/** Week 1 contains the year's first Thursday (ISO 8601, 3.1.1.23). */
function isoWeek({ year, dayOfYear, weekday }: Moment): number {
  const week = Math.floor((dayOfYear - weekday + 10) / 7);
  if (week < 1) return weeksOf(year - 1);
  return week > weeksOf(year) ? 1 : week;
}

/** The first week is the first with four days in the month; days before it are in week 0. */
function weekOfMonth(day: number, weekday: number): number {
  const start = (((day - weekday) % 7) + 7) % 7;
  return Math.floor((7 + (start > 3 ? 7 - start : -start) + day - 1) / 7);
}

function weeksOf(year: number): number {
  const lastWeekday = new Date(Date.UTC(year, 11, 31)).getUTCDay();
  const firstWeekday = new Date(Date.UTC(year, 0, 1)).getUTCDay();
  return lastWeekday === 4 || firstWeekday === 4 ? 53 : 52;
}

/** Zone abbreviations are only known in locales that use them: CET in Europe, EST in America. */
const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA'] as const;

function zoneName({ date, zone }: Moment, length: 'short' | 'long'): string {
  const names = ENGLISH.map(
    (locale) =>
      new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: length })
        .formatToParts(date)
        .find(({ type }) => type === 'timeZoneName')?.value ?? '',
  );
  return names.find((name) => !/^GMT[+-]/.test(name)) ?? names[0] ?? '';
}

function offsetText(offset: number, between: string): string {
  const minutes = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${between}${two(minutes % 60)}`;
}
