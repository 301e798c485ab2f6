import { expect } from 'chai';
import { cronFault, nextCronTime } from './cron.js';

/** A time in the zone of the machine. */
const at = (text: string): Date => new Date(text);
const next = (pattern: string, after: string): Date | undefined => nextCronTime(pattern, at(after));

describe('schedules of six fields', () => {
  it('are read as Spring reads them', () => {
    expect(next('0 0 0 * * ?', '2026-11-29T12:00:00')).to.deep.equal(at('2026-11-30T00:00:00'));
    expect(next('0 30 2 ? * MON', '2026-11-29T12:00:00')).to.deep.equal(at('2026-11-30T02:30:00'));
    expect(next('0 0 3 ? * 7', '2026-11-30T12:00:00')).to.deep.equal(at('2026-12-06T03:00:00'));
    expect(next('0 0 0 L * ?', '2026-11-01T00:00:00')).to.deep.equal(at('2026-11-30T00:00:00'));
    expect(next('@weekly', '2026-11-30T12:00:00')).to.deep.equal(at('2026-12-06T00:00:00'));
    // Friday the 13th: both fields have to fit.
    expect(next('0 0 0 13 * FRI', '2026-03-14T00:00:00')).to.deep.equal(at('2026-11-13T00:00:00'));
  });

  it('do not begin again at the moment they are asked for', () => {
    expect(next('0 0 0 * * ?', '2026-11-30T00:00:00')).to.deep.equal(at('2026-12-01T00:00:00'));
  });

  it('are off when they are empty or a hyphen', () => {
    expect(['', ' ', '-'].map((each) => next(each, '2026-11-29T12:00:00'))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('that mean nothing are named as such', () => {
    expect(['0 0 0 * * ?', '', '-', '@daily'].map(cronFault)).to.deep.equal(Array(4).fill(undefined));
    expect(cronFault('0 0 * * *')).to.equal('it has 5 fields instead of 6');
    expect(cronFault('every day at noon please ok')).to.equal('it cannot be read');
    expect(cronFault('0 0 25 * * ?')).to.equal('it cannot be read');
    expect(cronFault('0 0 0 31 2 ?')).to.equal('no such date exists');
  });
});
