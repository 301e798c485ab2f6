import { expect } from 'chai';
import { keyScopeOf, scopesOf, type ScopeRules } from './token-scopes.js';

const rules: ScopeRules = {
  named: [
    ['pdf.edit', 'general'],
    ['pdf.edit', 'misc'],
    ['pdf.view', 'read'],
    ['pdf.any', 'all'],
  ],
  otherwise: 'nothing',
};

describe('The scopes of a token', () => {
  for (const [scopes, limits] of [
    [['quire:general'], { categories: ['general'] }],
    [['quire:misc', 'quire:general', 'openid'], { categories: ['general', 'misc'] }],
    [['quire:read'], { readOnly: true }],
    [['quire:read', 'quire:general'], { categories: ['general'] }],
    [['pdf.edit'], { categories: ['general', 'misc'] }],
    [['pdf.view'], { readOnly: true }],
    [['pdf.any', 'quire:read'], undefined],
    [['quire:all'], undefined],
    [[], 'nothing'],
    [['openid', 'quire:', 'quire:General', 'xquire:all', 'quire:all ', 'PDF.ANY'], 'nothing'],
  ] as const)
    it(`${scopes.join(' ') || 'none'}: ${JSON.stringify(limits) ?? 'no limits'}`, () => {
      expect(keyScopeOf(scopes, rules)).to.deep.equal(limits);
    });

  it('may be left out where the settings say so', () => {
    expect(keyScopeOf(['openid'], { ...rules, otherwise: 'read' })).to.deep.equal({ readOnly: true });
    expect(keyScopeOf(['openid'], { ...rules, otherwise: 'all' })).to.equal(undefined);
    expect(keyScopeOf(['quire:general'], { ...rules, otherwise: 'all' })).to.deep.equal({ categories: ['general'] });
  });

  it('are read from the claims of all issuers, whatever else is there', () => {
    expect(scopesOf({ scope: 'a b', scp: ['c'], roles: ['d'] })).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(scopesOf({ scp: 'a b' })).to.deep.equal(['a', 'b']);
    expect(scopesOf({ scope: 5, scp: { a: 1 }, roles: [null, 6, ''] })).to.deep.equal([]);
  });
});
