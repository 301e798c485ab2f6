import { expect } from 'chai';
import { heapGrowth } from '../../test/suites/heap-growth.js';
import { Counters, doubleText, uptimeText } from './counters.js';

const call = (path: string, session: string, pattern = path) => ({ method: 'POST' as const, path, pattern, session });

describe('Counters', () => {
  const counters = new Counters();
  before(() => {
    for (const session of ['a', 'a', 'b']) counters.count(call('/api/v1/misc/repair', session));
    counters.count(call('/api/v1/general/rotate-pdf', 'a'));
    counters.count({ ...call('/api/v1/general/job/1', 'c', '/api/v1/general/job/{jobId}'), method: 'GET' });
  });

  it('count calls by endpoint, most first', () => {
    expect(counters.all('POST', false)).to.deep.equal([
      { endpoint: '/api/v1/misc/repair', count: 3 },
      { endpoint: '/api/v1/general/rotate-pdf', count: 1 },
    ]);
  });

  it('count sessions once, also over several endpoints', () => {
    expect(counters.all('POST', true)[0]).to.deep.equal({ endpoint: '/api/v1/misc/repair', count: 2 });
    expect(counters.total('POST', true)).to.equal(2);
  });

  it('give the total of one endpoint, and zero for an unknown one', () => {
    expect(counters.total('POST', false, '/api/v1/misc/repair')).to.equal(3);
    expect(counters.total('POST', true, '/api/v1/misc/repair')).to.equal(2);
    expect(counters.total('POST', false, '/nowhere')).to.equal(0);
    expect(counters.total('POST', false, '__proto__')).to.equal(0);
    expect(counters.total('GET', false)).to.equal(1);
  });

  it('count paths with variables separately, up to a limit', () => {
    const many = new Counters();
    for (let i = 0; i < 5000; i++)
      many.count({ ...call(`/api/v1/general/job/${i}`, 'x', '/api/v1/general/job/{jobId}'), method: 'GET' });
    const rows = many.all('GET', false);
    expect(rows).to.have.length(1001);
    expect(rows[0]).to.deep.equal({ endpoint: '/api/v1/general/job/{jobId}', count: 4000 });
    expect(many.total('GET', false)).to.equal(5000);
    expect(many.total('GET', false, '/api/v1/general/job/999')).to.equal(1);
  });

  it('count an extremely long path under its route', () => {
    const one = new Counters();
    one.count(call(`/api/v1/general/job/${'x'.repeat(5000)}`, 'x', '/api/v1/general/job/{jobId}'));
    expect(one.all('POST', false)).to.deep.equal([{ endpoint: '/api/v1/general/job/{jobId}', count: 1 }]);
  });

  it('continue to count known endpoints separately when the limit of paths is reached', () => {
    const full = new Counters();
    for (let i = 0; i < 2000; i++) full.count(call(`/a/${i}`, 'x', '/a/{id}'));
    full.count(call('/a/3', 'x', '/a/{id}'));
    full.count(call('/api/v1/misc/repair', 'x'));
    expect(full.total('POST', false, '/a/3')).to.equal(2);
    expect(full.total('POST', false, '/api/v1/misc/repair')).to.equal(1);
  });

  it('use a few megabytes and are a few per cent off when a million sessions are invented', function () {
    this.timeout(60_000);
    const { made: flooded, megabytes } = heapGrowth(() => {
      const made = new Counters();
      for (let i = 0; i < 1_000_000; i++) made.count(call(`/api/v1/misc/repair${i % 50}`, `session ${i}`));
      return made;
    }, 8);
    expect(megabytes).to.be.below(8);
    expect(flooded.total('POST', false)).to.equal(1_000_000);
    // The standard errors of the sketches are 0.8 and 2.3 %; six of them.
    expect(flooded.total('POST', true)).to.be.within(952_000, 1_048_000);
    for (const { count } of flooded.all('POST', true)) expect(count).to.be.within(17_200, 22_800);
  });

  it('stay small when every path is flooded with sessions', function () {
    this.timeout(60_000);
    const { megabytes } = heapGrowth(() => {
      const flooded = new Counters();
      for (let i = 0; i < 300_000; i++) flooded.count(call(`/a/${i % 1500}`, `session ${i}`, '/a/{id}'));
      return flooded;
    }, 16);
    expect(megabytes).to.be.below(16);
  });

  it('are fast with hundreds of sessions that call repeatedly', () => {
    const fast = new Counters();
    for (let i = 0; i < 500_000; i++) fast.count(call('/api/v1/misc/repair', `session ${i % 300}`));
    expect(fast.total('POST', false)).to.equal(500_000);
    expect(fast.total('POST', true)).to.be.within(290, 310);
  });
});

describe('counts in JSON', () => {
  it('are doubles, as existing clients expect', () => {
    expect([0, 3, 1_000_000].map(doubleText)).to.deep.equal(['0.0', '3.0', '1000000.0']);
    expect(JSON.parse(doubleText(42))).to.equal(42);
  });
});

describe('the uptime', () => {
  it('is shown in days, hours, minutes and seconds without padding', () => {
    expect(uptimeText(5_000)).to.equal('0d 0h 0m 5s');
    expect(uptimeText(((26 * 60 + 3) * 60 + 12) * 1000)).to.equal('1d 2h 3m 12s');
    expect(uptimeText(400 * 86_400_000)).to.equal('400d 0h 0m 0s');
  });
});
