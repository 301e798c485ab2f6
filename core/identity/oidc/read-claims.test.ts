import { expect } from 'chai';
import type { Provider } from '../model.js';
import { identityOf } from './read-claims.js';

const provider: Provider = {
  id: 'sso',
  name: 'Sso',
  protocol: 'oidc',
  issuer: 'https://issuer.example',
  clientId: 'quire',
  clientSecret: '',
  scopes: ['openid'],
  usernameClaim: 'preferred_username',
  setting: 'security.oauth2.issuer',
};

describe('The claims of a provider', () => {
  const groupsOf = (claims: object, path: string): readonly string[] =>
    identityOf(provider, { sub: 'someone', ...claims }, path).groups;

  it('name groups in a list, as one text, or as members of an object', () => {
    expect(groupsOf({ groups: ['a', 7, '', 'b'] }, 'groups')).to.deep.equal(['a', 'b']);
    expect(groupsOf({ groups: 'a' }, 'groups')).to.deep.equal(['a']);
    const roles = { 'quire-admin': { 1: 'example.org' }, reader: {} };
    expect(groupsOf({ 'urn:zitadel:iam:org:project:roles': roles }, 'urn:zitadel:iam:org:project:roles')).to.deep.equal(
      ['quire-admin', 'reader'],
    );
    expect([
      groupsOf({ groups: null }, 'groups'),
      groupsOf({}, 'groups'),
      groupsOf({ groups: ['a'] }, ''),
    ]).to.deep.equal([[], [], []]);
  });

  it('name them on a path, or under a name with dots', () => {
    expect(groupsOf({ realm_access: { roles: ['a'] } }, 'realm_access.roles')).to.deep.equal(['a']);
    expect(groupsOf({ 'a.b': ['c'] }, 'a.b')).to.deep.equal(['c']);
    expect(groupsOf({ realm_access: 'text' }, 'realm_access.roles')).to.deep.equal([]);
  });
});
