import { expect } from 'chai';
import { commonPasswords } from './common-passwords.js';
import { PasswordHasher, checkNewPassword, randomPassword, usualCost } from './passwords.js';

const quick = { n: 1024, r: 8, p: 1 };

describe('Passwords', () => {
  const hasher = new PasswordHasher(quick);

  it('are stored as salted hashes that verify only them', async () => {
    const stored = await hasher.hash('correct horse');
    expect(stored)
      .to.match(/^scrypt\$1024\$8\$1\$/)
      .and.not.to.contain('horse');
    expect(await hasher.hash('correct horse')).not.to.equal(stored);
    expect(await hasher.verify('correct horse', stored)).to.equal(true);
    for (const wrong of ['', 'correct hors', 'correct horse ', 'Correct horse', 'correct horse\0'])
      expect(await hasher.verify(wrong, stored), wrong).to.equal(false);
  });

  it('are equal however a keyboard composes a letter', async () => {
    expect(await hasher.verify('caf\u00e9-caf\u00e9', await hasher.hash('cafe\u0301-cafe\u0301'))).to.equal(true);
  });

  it('are never right for an account without a password', async () => {
    for (const stored of [null, undefined])
      for (const password of ['', 'anything']) expect(await hasher.verify(password, stored)).to.equal(false);
  });

  it('verify with the cost of their hash, and report when it is not the current cost', async () => {
    const old = await new PasswordHasher({ n: 512, r: 8, p: 1 }).hash('correct horse');
    expect(await hasher.verify('correct horse', old)).to.equal(true);
    expect([hasher.outdated(old), hasher.outdated(await hasher.hash('x'))]).to.deep.equal([true, false]);
  });

  it('take as long to reject for unknown users as for known ones', async () => {
    const slow = new PasswordHasher({ n: 2 ** 14, r: 8, p: 1 });
    const stored = await slow.hash('correct horse');
    await slow.verify('warm', null);
    const time = async (hash: string | null): Promise<number> => {
      const begin = performance.now();
      await slow.verify('wrong horse', hash);
      return performance.now() - begin;
    };
    const times = { somebody: Infinity, nobody: Infinity };
    for (let turn = 0; turn < 7; turn++) {
      times.somebody = Math.min(times.somebody, await time(stored));
      times.nobody = Math.min(times.nobody, await time(null));
    }
    // The best of seven runs each, in turns. Without a dummy hash an unknown user would be rejected a thousand times
    // faster; load alone does not change the best run by a factor of ten.
    expect(times.nobody / times.somebody).to.be.within(0.1, 10);
  });

  it('have the recommended cost unless a test uses a lower one', () => {
    // OWASP: N=2^17 with p=1, 2^16 with p=2, 2^15 with p=3, each with r=8; the product is the same within a third.
    expect(usualCost.n * usualCost.r * 128).to.be.at.least(32 * 1024 * 1024);
    expect(usualCost.n * usualCost.p).to.be.at.least(2 ** 15 * 3);
  });

  it('have 8 to 1024 characters and no line break', () => {
    for (const fine of ['73x91c82', 'four old words here', '🔒🔑🔒🔑🔒🔑🔒🔑', 'xy'.repeat(512)])
      expect(checkNewPassword(fine)).to.equal(fine);
    for (const bad of ['', '73x91c8', '🔒🔑🔒🔑🔒🔑🔒', 'xy'.repeat(513), 'some\nwords', 'some\0words'])
      expect(() => checkNewPassword(bad), JSON.stringify(bad))
        .to.throw()
        .with.property('code', 'PASSWORD_INVALID');
  });

  it('are not common, the same character again and again, or the name of the user', () => {
    const faultOf = (password: string, username?: string): unknown => {
      try {
        checkNewPassword(password, username);
        return undefined;
      } catch (error) {
        return (error as { data?: { detail?: string } }).data?.detail;
      }
    };
    for (const common of [
      'password',
      'PassWord',
      '12345678',
      'qwertyuiop',
      'iloveyou',
      'ｐａｓｓｗｏｒｄ',
      '        ',
      'zzzzzzzzz',
    ])
      expect(faultOf(common), common).to.contain('most common passwords');
    for (const [password, name] of [
      ['grace.hopper', 'Grace.Hopper'],
      ['GRACE.HOPPER', 'grace.hopper'],
      ['grace.hopper', 'grace.hopper@example.org'],
      ['grace.hopper@example.org', 'grace.hopper@example.org'],
    ] as const)
      expect(faultOf(password, name), password).to.contain('the user name');
    expect(faultOf('grace.hopper and more', 'grace.hopper')).to.equal(undefined);
    expect(commonPasswords.size).to.equal(3000);
    for (const common of commonPasswords)
      expect(common)
        .to.match(/^[\x21-\x7e]{8,}$/)
        .and.equal(common.toLowerCase());
  });

  it('are generated differently each time', () => {
    const made = new Set(Array.from({ length: 100 }, () => randomPassword()));
    expect(made.size).to.equal(100);
    expect(randomPassword(12)).to.match(/^[0-9a-f]{12}$/);
  });
});

describe('Many passwords at once', () => {
  it('are verified two at a time, and none is forgotten', async () => {
    const hasher = new PasswordHasher(quick);
    const stored = await hasher.hash('correct horse');
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) => hasher.verify(i % 2 === 0 ? 'correct horse' : 'wrong horse', stored)),
    );
    expect(outcomes).to.deep.equal(Array.from({ length: 50 }, (_, i) => i % 2 === 0));
    const broken = await hasher.verify('x', 'scrypt$3$8$1$AAAA$AAAA').then(
      () => 'none',
      (error: Error) => error.name,
    );
    expect(broken).to.be.a('string').and.not.equal('none');
    expect(await hasher.verify('correct horse', stored), 'after one that broke').to.equal(true);
  });
});
