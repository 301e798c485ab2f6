import { expect } from 'chai';
import { sessionDigest } from './session-digest.js';
import { UniqueCounter } from './unique-counter.js';

describe('a counter of unique sessions', () => {
  const digest = sessionDigest();

  it('is exact for small numbers', () => {
    const counter = new UniqueCounter({ exact: 100, precision: 11 });
    expect(counter.count).to.equal(0);
    for (let i = 0; i < 100; i++) for (let again = 0; again < 3; again++) counter.add(digest(`s${i}`));
    expect(counter.count).to.equal(100);
  });

  for (const many of [101, 1000, 4000, 10_000, 200_000]) {
    it(`is within eight per cent of ${many}`, () => {
      const counter = new UniqueCounter({ exact: 100, precision: 11 });
      for (let i = 0; i < many; i++) counter.add(digest(`s${i}`));
      for (let i = 0; i < 100; i++) counter.add(digest(`s${i}`));
      expect(counter.count).to.be.within(many * 0.92, many * 1.08);
    });
  }
});

describe('the digest of a session', () => {
  it('is the same for the same session and identifies nobody', () => {
    const digest = sessionDigest();
    expect(digest('anna')).to.equal(digest('anna'));
    expect(digest('anna')).not.to.equal(digest('bert'));
    expect(digest('anna')).to.be.below(2 ** 48);
  });

  it('differs between servers, so that nobody can compute it', () => {
    expect(sessionDigest()('anna')).not.to.equal(sessionDigest()('anna'));
  });

  it('costs the same for identifiers of any length', () => {
    const digest = sessionDigest();
    expect(digest('x'.repeat(256))).to.equal(digest('x'.repeat(1_000_000)));
  });
});
