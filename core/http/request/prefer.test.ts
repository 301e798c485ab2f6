import { expect } from 'chai';
import { preferences } from './prefer.js';

const nothing = { respondAsync: false, strict: false };

describe('preferences of a call', () => {
  it('are read from one header and from joined headers, in any case and order', () => {
    expect(preferences(undefined)).to.deep.equal(nothing);
    expect(preferences('respond-async')).to.deep.equal({ ...nothing, respondAsync: true });
    for (const header of [
      'respond-async, wait=10, handling=strict',
      'HANDLING = "Strict" ,, Wait="10",Respond-Async',
      'respond-async; x=1, handling=strict; y="a,b", wait=10; z',
    ]) {
      expect(preferences(header), header).to.deep.equal({ respondAsync: true, strict: true, wait: 10 });
    }
  });

  it('count once: the first occurrence wins', () => {
    expect(preferences('wait=5, wait=50, handling=lenient, handling=strict')).to.deep.equal({ ...nothing, wait: 5 });
  });

  it('are ignored if they are not understood', () => {
    for (const header of [
      'wait',
      'wait=',
      'wait=-1',
      'wait=1.5',
      'wait=soon',
      'wait=9999999999',
      'x-respond-async',
      'respond-asynchronous',
      'note="respond-async, wait=3"',
      'handling=strictly',
      '"handling=strict',
    ])
      expect(preferences(header), header).to.deep.equal(nothing);
    expect(preferences('"broken, wait=7')).to.deep.equal(nothing);
    expect(preferences('=odd, wait=7')).to.deep.equal({ ...nothing, wait: 7 });
  });

  it('are read quickly, whatever is sent', () => {
    for (const header of [
      '"'.repeat(6_000_000),
      'a='.repeat(3_000_000),
      `wait=${' '.repeat(6_000_000)}`,
      '"\\'.repeat(3_000_000),
      ','.repeat(6_000_000),
    ])
      expect(preferences(header)).to.deep.equal(nothing);
  });
});
