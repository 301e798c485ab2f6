import { expect } from 'chai';
import { Counters, uptimeText } from './counters.js';

describe('Counters', () => {
  const counters = new Counters();
  before(() => {
    for (const session of ['a', 'a', 'b']) counters.count('POST', '/api/v1/misc/repair', session);
    counters.count('POST', '/api/v1/general/rotate-pdf', 'a');
    counters.count('GET', '/api/v1/general/job/1', 'c');
  });

  it('count calls by endpoint, most first', () => {
    expect(counters.all('POST', false)).to.deep.equal([{ endpoint: '/api/v1/misc/repair', count: 3 }, { endpoint: '/api/v1/general/rotate-pdf', count: 1 }]);
  });

  it('count sessions once, also over several endpoints', () => {
    expect(counters.all('POST', true)[0]).to.deep.equal({ endpoint: '/api/v1/misc/repair', count: 2 });
    expect(counters.total('POST', true)).to.equal(2);
  });

  it('give the total of one endpoint, and zero for an unknown one', () => {
    expect(counters.total('POST', false, '/api/v1/misc/repair')).to.equal(3);
    expect(counters.total('POST', false, '/nowhere')).to.equal(0);
    expect(counters.total('GET', false)).to.equal(1);
  });
});

describe('The uptime', () => {
  it('is told in days, hours, minutes and seconds without padding', () => {
    expect(uptimeText(5_000)).to.equal('0d 0h 0m 5s');
    expect(uptimeText(((26 * 60 + 3) * 60 + 12) * 1000)).to.equal('1d 2h 3m 12s');
  });
});
