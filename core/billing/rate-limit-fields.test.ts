import { expect } from 'chai';
import { periodAt } from './period.js';
import { rateLimitFields } from './rate-limit-fields.js';

const now = new Date('2026-11-21T23:59:30.500Z');

describe('The RateLimit fields', () => {
  it('are absent when no limit applies', () => {
    expect(rateLimitFields([], now)).to.deep.equal({});
  });

  it('report the quota, the rest, the length of the period and the time until the next', () => {
    expect(
      rateLimitFields([{ policy: 'allowance', limit: 100, remaining: 7, period: periodAt('day', now) }], now),
    ).to.deep.equal({ 'ratelimit-policy': '"allowance";q=100;w=86400', ratelimit: '"allowance";r=7;t=30' });
    expect(
      rateLimitFields([{ policy: 'allowance', limit: 100, remaining: 7, period: periodAt('month', now) }], now)[
        'ratelimit-policy'
      ],
    ).to.equal('"allowance";q=100;w=2592000');
  });

  it('omit times of unlimited periods, and list every limit', () => {
    const left = [
      { policy: 'allowance', limit: 9, remaining: 0, period: periodAt('none', now) },
      { policy: 'credits', limit: 5, remaining: 1, period: periodAt('none', now) },
    ];
    expect(rateLimitFields(left, now)).to.deep.equal({
      'ratelimit-policy': '"allowance";q=9, "credits";q=5',
      ratelimit: '"allowance";r=0, "credits";r=1',
    });
  });
});

describe('A period', () => {
  it('ends at the next day, month or year in UTC, or never', () => {
    expect(periodAt('day', new Date('2028-02-28T12:00:00Z'))).to.deep.equal({
      key: '2028-02-28',
      start: new Date('2028-02-28T00:00:00Z'),
      end: new Date('2028-02-29T00:00:00Z'),
    });
    expect(periodAt('month', new Date('2026-12-31T23:00:00-05:00'))).to.deep.equal({
      key: '2027-01',
      start: new Date('2027-01-01T00:00:00Z'),
      end: new Date('2027-02-01T00:00:00Z'),
    });
    expect(periodAt('none', now)).to.deep.equal({ key: 'all', start: null, end: null });
  });
});
