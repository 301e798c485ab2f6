import { expect } from 'chai';
import { checkExpressions } from '../../../src/functions/audit/expressions.js';
import { ZERO } from '../../../src/functions/audit/rational.js';
import { usualMark } from '../../../src/functions/audit/read-number.js';

describe('figures without end', () => {
  it('hold up neither the search for arithmetic nor that for the mark of decimals', () => {
    expect(checkExpressions(`1${',22'.repeat(300_000)} = 3`, 1, { tolerance: ZERO, mark: '.' })).to.deep.equal([]);
    expect(usualMark(`3,50\n1${'.1'.repeat(500_000)}..1\n4,25`)).to.equal(',');
  });
});
