import { expect } from 'chai';
import { formatDate } from '../../src/functions/format-date.js';

/** Friday, in week 10 of the year; 13:05:09.042 in Berlin. */
const friday = new Date('2026-03-06T12:05:09.042Z');
const format = (pattern: string, zone = 'Europe/Berlin', date = friday): string | undefined =>
  formatDate(date, pattern, zone);
const each = (expected: Readonly<Record<string, string>>, zone?: string, date?: Date): void => {
  for (const [pattern, text] of Object.entries(expected)) expect(format(pattern, zone, date), pattern).to.equal(text);
};

describe('formatDate', () => {
  it('writes years and eras', () => {
    each({
      y: '2026',
      yy: '26',
      yyyy: '2026',
      yyyyy: '02026',
      u: '2026',
      uu: '26',
      uuuu: '2026',
      G: 'AD',
      GGGG: 'Anno Domini',
      GGGGG: 'A',
    });
  });

  it('writes months and days', () => {
    each({ M: '3', MM: '03', MMM: 'Mar', MMMM: 'March', MMMMM: 'M', d: '6', dd: '06', D: '65', DDD: '065', F: '1' });
  });

  it('writes weekdays and weeks', () => {
    each({ E: 'Fri', EEE: 'Fri', EEEE: 'Friday', EEEEE: 'F', w: '10', ww: '10', W: '1' });
    each({ w: '53', W: '0', EEEE: 'Friday' }, 'UTC', new Date('2027-01-01T00:00:00Z'));
    each({ w: '53' }, 'UTC', new Date('2026-12-31T00:00:00Z'));
    each({ w: '1', EEEE: 'Sunday' }, 'UTC', new Date('2023-01-08T00:00:00Z'));
    each({ W: '5', F: '5' }, 'UTC', new Date('2026-07-31T00:00:00Z'));
  });

  it('writes hours, minutes, seconds and their parts', () => {
    each({
      H: '13',
      HH: '13',
      h: '1',
      hh: '01',
      m: '5',
      mm: '05',
      s: '9',
      ss: '09',
      S: '0',
      SS: '04',
      SSS: '042',
      SSSSSS: '042000',
      a: 'PM',
    });
    each({ H: '0', h: '12', a: 'AM' }, 'UTC', new Date('2026-01-01T00:00:00Z'));
    each({ h: '12', a: 'PM' }, 'UTC', new Date('2026-01-01T12:00:00Z'));
  });

  it('writes zones: east, west and UTC', () => {
    each({
      z: 'CET',
      zzzz: 'Central European Standard Time',
      Z: '+0100',
      ZZZZ: 'GMT+01:00',
      ZZZZZ: '+01:00',
      X: '+01',
      XX: '+0100',
      XXX: '+01:00',
    });
    each({ z: 'EST', Z: '-0500', X: '-05' }, 'America/New_York');
    each({ Z: '+0545', X: '+0545', XXX: '+05:45' }, 'Asia/Kathmandu');
    each({ z: 'UTC', Z: '+0000', ZZZZ: 'GMT', ZZZZZ: 'Z', X: 'Z', XXX: 'Z' }, 'UTC');
  });

  it('keeps separators and quoted letters as they are', () => {
    each({
      'yyyy-MM-dd HH:mm:ss,SSS': '2026-03-06 13:05:09,042',
      'd/M.yy+H': '6/3.26+13',
      "h 'ha'": '1 ha',
      "yy''yy": "26'26",
      "'Day''s'": "Day's",
    });
  });

  it('uses the time zone of the process by default', () => {
    const own = String(friday.getHours()).padStart(2, '0');
    expect(formatDate(friday, 'HH')).to.equal(own);
  });

  it('refuses other characters, long patterns, unclosed quotes and too many letters', () => {
    for (const pattern of [
      '',
      'L',
      'yyyy_MM',
      "'at' n",
      'y'.repeat(51),
      "'yy",
      'MMMMMM',
      'ddd',
      'HHH',
      'aa',
      'EEEEEE',
      'zzzzz',
      'SSSSSSSSSS',
      'FF',
      'WW',
      'www',
      'DDDD',
      'XXXXXX',
      '<b>',
    ]) {
      expect(format(pattern), pattern).to.equal(undefined);
    }
  });
});
