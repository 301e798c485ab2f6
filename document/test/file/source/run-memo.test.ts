import { expect } from 'chai';
import { closeCachedSources, onceInRun, startSourceCache } from '../../../file/source/index.js';

describe('onceInRun', () => {
  const count = (times: number, key: (n: number) => string): number => {
    let made = 0;
    for (let n = 0; n < times; n++) expect(onceInRun(key(n), () => (made++, key(n)))).to.equal(key(n));
    return made;
  };
  afterEach(closeCachedSources);

  it('makes a value once for each key while a run lasts, and again in the next one', () => {
    startSourceCache();
    expect(count(5, () => 'a')).to.equal(1);
    expect(count(5, (n) => `other ${n}`)).to.equal(5);
    closeCachedSources();
    startSourceCache();
    expect(count(1, () => 'a')).to.equal(1);
  });

  it('remembers that there is no value, and nothing that failed', () => {
    startSourceCache();
    let tries = 0;
    for (let n = 0; n < 3; n++) expect(onceInRun('none', () => void tries++)).to.equal(undefined);
    expect(tries).to.equal(1);
    const fail = (): never => {
      tries++;
      throw new Error('failed');
    };
    for (let n = 0; n < 2; n++) expect(() => onceInRun('failing', fail)).to.throw('failed');
    expect(tries).to.equal(3);
  });

  it('keeps nothing outside of runs', () => {
    expect(count(3, () => 'a')).to.equal(3);
  });
});
