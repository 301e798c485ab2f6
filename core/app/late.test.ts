import { expect } from 'chai';
import { late } from './late.js';

describe('a late service', () => {
  it('returns the service once it has been provided', () => {
    const runner = late<string>('the runner');
    runner.provide('ready');
    expect(runner()).to.equal('ready');
  });

  it('throws an error with its name when it is used too early', () => {
    expect(() => late('the runner')()).to.throw('the runner is used before createServer has created it');
  });
});
