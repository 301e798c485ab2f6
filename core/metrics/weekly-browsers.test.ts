import { expect } from 'chai';
import { heapGrowth } from '../../test/suites/heap-growth.js';
import { WeeklyBrowsers } from './weekly-browsers.js';

const DAY = 86_400_000;

describe('the browsers of the week', () => {
  const start = Date.UTC(2026, 0, 5, 12);
  let now = start;
  const browsers = (): WeeklyBrowsers => new WeeklyBrowsers(() => now);
  beforeEach(() => (now = start));

  it('are counted once each', () => {
    const weekly = browsers();
    for (const id of ['a', 'b', 'a', ' a ']) weekly.see(id);
    expect(weekly.report()).to.deep.equal({
      weeklyActiveUsers: 2,
      totalUniqueBrowsers: 2,
      daysOnline: 0,
      trackingSince: '2026-01-05T12:00:00.000Z',
    });
  });

  it('leave the week seven days after their last visit, and stay in the total', () => {
    const weekly = browsers();
    weekly.see('early');
    weekly.see('faithful');
    now += 6 * DAY;
    weekly.see('faithful');
    now += DAY + 1;
    expect(weekly.report()).to.deep.include({ weeklyActiveUsers: 1, totalUniqueBrowsers: 2, daysOnline: 7 });
    now += 7 * DAY;
    expect(weekly.report()).to.deep.include({ weeklyActiveUsers: 0, totalUniqueBrowsers: 2, daysOnline: 14 });
    weekly.see('early');
    expect(weekly.report()).to.deep.include({ weeklyActiveUsers: 1, totalUniqueBrowsers: 2 });
  });

  it('need an id that a browser would send', () => {
    const weekly = browsers();
    for (const id of [undefined, '', '   ', 'x'.repeat(129)]) weekly.see(id);
    expect(weekly.report().totalUniqueBrowsers).to.equal(0);
  });

  it('use a few megabytes when hundreds of thousands of ids are invented', function () {
    this.timeout(60_000);
    const { made: weekly, megabytes } = heapGrowth(() => {
      const made = browsers();
      for (let i = 0; i < 300_000; i++) made.see(`browser ${i}`);
      return made;
    }, 8);
    expect(megabytes).to.be.below(8);
    const report = weekly.report();
    expect(report.weeklyActiveUsers).to.equal(50_000);
    expect(report.totalUniqueBrowsers).to.be.within(288_000, 312_000);
  });
});
