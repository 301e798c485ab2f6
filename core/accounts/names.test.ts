import { isQuireError } from '@quire/registry';
import { expect } from 'chai';
import { checkRole, checkUsername, isMailAddress, nameKey } from './names.js';

const refused = (name: string): string => {
  try {
    return `taken as ${checkUsername(name)}`;
  } catch (error) {
    if (isQuireError(error)) return error.code;
    throw error;
  }
};

describe('A user name', () => {
  it('is 3 to 50 letters and digits with single signs between them', () => {
    for (const name of ['ann', 'a.b', 'Ann_Lee-2', 'a@b+c', 'x'.repeat(50), '007'])
      expect(checkUsername(name)).to.equal(name);
    for (const name of [
      '',
      ' ',
      'ab',
      'x'.repeat(51),
      '.ann',
      'ann.',
      'a..b',
      'a._b',
      'a b',
      'a/b',
      'a\\b',
      'a%2eb',
      '../ann',
      'ann\n',
      'a\0b',
      '<ann>',
      "ann'--",
    ]) {
      expect(refused(name), JSON.stringify(name)).to.equal(name === 'ann\n' ? 'taken as ann' : 'USERNAME_INVALID');
    }
  });

  it('is otherwise a mail address of up to 320 characters', () => {
    const labels = ['d', 'e', 'f', 'g'].map((letter) => letter.repeat(60));
    const longest = `${'l'.repeat(64)}@${labels.join('.')}.example.org`;
    expect(longest.length).to.equal(320);
    expect(checkUsername(longest)).to.equal(longest);
    expect(checkUsername('first.last+tag@sub.example.co')).to.equal('first.last+tag@sub.example.co');
    for (const name of [
      'a/b@example.org',
      'a/../b@example.org',
      '..@example.org',
      'a%2fb@example.org',
      'a*@example.org',
      'a|b@example.org',
      '{a}@example.org',
      'a b@example.org',
      '"a"@example.org',
      'a@[192.0.2.1]',
    ])
      expect(refused(name), name).to.equal('USERNAME_INVALID');
    for (const name of [
      `l${longest}`,
      `${longest}g`,
      `${'l'.repeat(65)}@example.org.of.a.longer.kind.than.fifty`,
      'somebody..else-with-a-long-name@example-of-a-long-domain.org',
      'somebody-with-quite-a-long-name-indeed-so-long@localhost',
    ])
      expect(refused(name), name).to.equal('USERNAME_INVALID');
  });

  it('contains no letter that looks like another one', () => {
    for (const name of [
      'аdmin',
      'admın',
      'ａｄｍｉｎ',
      'ad\u200bmin',
      'ad\u00admin',
      '\u202eadmin',
      'adm\u0131n',
      'Kelvin\u212a',
      'ann@exаmple.org',
      'ünï@example.org',
    ])
      expect(refused(name), name).to.equal('USERNAME_INVALID');
  });

  it('is not one that the server reserves, in any case', () => {
    for (const name of [
      'ALL_USERS',
      'all_users',
      'All_Users ',
      'anonymousUser',
      'ANONYMOUSUSER',
      'CUSTOM_API_USER',
      'custom_api_user',
    ])
      expect(refused(name), name).to.equal('USERNAME_INVALID');
  });

  it('is compared without regard to case', () => {
    expect(nameKey(' Ann@Example.org ')).to.equal(nameKey('ann@example.ORG'));
  });

  it('is checked quickly, whatever it contains', () => {
    for (const name of [
      `${'a.'.repeat(500_000)}!`,
      `${'a@'.repeat(500_000)}`,
      `a@${'b-'.repeat(500_000)}`,
      `${'x'.repeat(2_000_000)}`,
    ]) {
      expect(refused(name)).to.equal('USERNAME_INVALID');
      expect(isMailAddress(name)).to.equal(false);
    }
  });
});

describe('A role', () => {
  it('accepts those of the contract, with or without prefix', () => {
    expect(checkRole('ROLE_ADMIN')).to.equal('ROLE_ADMIN');
    expect(checkRole(' web_only_user ')).to.equal('ROLE_WEB_ONLY_USER');
  });

  it('rejects the one that is reserved for the server', () => {
    for (const role of [
      'ROLE_BACKEND_API_USER',
      'backend_api_user',
      'ROLE_ROOT',
      '',
      '__proto__',
      'ROLE_ADMIN,ROLE_USER',
    ]) {
      expect(() => checkRole(role), role)
        .to.throw()
        .with.property('code', 'ROLE_INVALID');
    }
  });
});
