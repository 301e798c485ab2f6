import { type AnyOperation, writingWith } from '@quire/registry';
import { expect } from 'chai';

describe('The write mode of an operation', () => {
  const operation = (rewritesWhen: AnyOperation['rewritesWhen']): AnyOperation =>
    ({ writes: 'append', rewritesWhen }) as AnyOperation;
  const writes = (of: AnyOperation, params: Record<string, unknown>): unknown => writingWith(of, params).writes;

  it('follows from its parameters: rewrite when its condition, or any of several, holds', () => {
    expect(writes(operation(undefined), { force: true })).to.equal('append');
    const single = operation({ force: true, kind: ['a', 'b'] });
    expect([writes(single, { force: true, kind: 'b' }), writes(single, { force: true, kind: 'c' })]).to.deep.equal([
      'rewrite',
      'append',
    ]);
    const several = operation([{ force: true }, { clean: true }]);
    expect(
      [{}, { force: true }, { clean: true }, { clean: false }].map((params) => writes(several, params)),
    ).to.deep.equal(['append', 'rewrite', 'rewrite', 'append']);
  });
});
