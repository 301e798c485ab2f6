import { expect } from 'chai';
import { type ClaimQuestion, proposeClaims } from '../../../src/functions/audit/propose-claims.js';

describe('questions for claims', () => {
  it('hold no more than the limit, with their instructions', async () => {
    const asked: ClaimQuestion[] = [];
    const prose = [
      { page: 1, sentences: Array.from({ length: 60 }, (_, i) => `The sum of ${i} and 2 is ${i + 2} in this report.`) },
    ];
    const { rounds } = await proposeClaims(prose, { pages: 5, characters: 1800 }, async (question) => {
      asked.push(question);
      return { claims: [] };
    });
    expect(rounds).to.equal(asked.length).and.be.greaterThan(1);
    for (const { instructions, text } of asked) expect(instructions.length + text.length).to.be.at.most(1800);
  });
});
