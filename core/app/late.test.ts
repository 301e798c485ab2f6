import { expect } from 'chai';
import { late } from './late.js';

describe('a late service', () => {
  it('returns the service once it was provided', () => {
    const runner = late<string>('the runner');
    runner.provide('ready');
    expect(runner()).to.equal('ready');
  });

  it('names itself when it is used too early', () => {
    expect(() => late('the runner')()).to.throw('the runner is used before createServer has created it');
  });
});
