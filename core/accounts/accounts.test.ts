import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { codeOf } from '../../test/suites/code-of.js';
import { HandClock, keptLog } from '../../test/suites/memory-accounts.js';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { ServerSecret } from '../secrets/index.js';
import { openAccounts, type AccountServices, type AccountsDeps } from './accounts.js';
import type { LoginAttempt, User } from './model.js';

const password = 'correct horse';

describeStores('Accounts', (makeStore) => {
  let temporary: TemporaryStore;
  let store: Store;
  let clock: HandClock;
  let accounts: AccountServices;
  let announced: string[];
  const log = keptLog();
  const secret = new ServerSecret(randomBytes(32));
  const open = (more: Partial<AccountsDeps> = {}): Promise<AccountServices> =>
    openAccounts({
      store,
      secret,
      clock,
      log,
      issuer: 'Quire',
      announce: (text) => announced.push(text),
      passwordCost: { n: 1024, r: 8, p: 1 },
      cap: { tier: 'enterprise', maxUsers: 0 },
      lock: { attempts: 5, minutes: 120 },
      firstStart: { username: '', password: '', globalKey: false },
      ...more,
    });
  const login = async (username: string, given = password, more: Partial<LoginAttempt> = {}): Promise<string> => {
    const outcome = await accounts.authenticate({ username, password: given, address: '192.0.2.1', ...more });
    return 'user' in outcome ? outcome.user.username : outcome.refused;
  };
  const make = (username: string, more: object = {}): Promise<User> =>
    accounts.users.create({ username, password, role: 'ROLE_USER', ...more });

  beforeEach(async () => {
    temporary = await makeStore();
    store = await temporary.open();
    clock = new HandClock();
    announced = [];
    accounts = await open();
  });
  afterEach(async () => {
    await store.close();
    await temporary.remove();
  });

  describe('at the first start', () => {
    it('create an administrator with a random password that is shown once and must be changed', async () => {
      expect(announced).to.have.length(1);
      const shown = /user name admin, password (\S+) /.exec(announced[0] ?? '')?.[1] ?? '';
      expect(shown).to.have.length(12);
      const admin = await accounts.authenticate({ username: 'admin', password: shown, address: '192.0.2.1' });
      expect(admin).to.have.nested.property('user.role', 'ROLE_ADMIN');
      expect(admin).to.have.nested.property('user.mustChangePassword', true);
      await open();
      expect(announced).to.have.length(1);
      expect(log.lines.join('\n')).not.to.contain(shown);
    });

    it('create the administrator from the settings, and show nothing', async () => {
      const other = await makeStore();
      const elsewhere = await other.open();
      announced = [];
      accounts = await open({ store: elsewhere, firstStart: { username: 'root', password: 'pass', globalKey: false } });
      expect([
        await login('root', 'pass'),
        (await accounts.byName('root'))?.mustChangePassword,
        announced,
      ]).to.deep.equal(['root', false, []]);
      await elsewhere.close();
      await other.remove();
    });

    it('create one administrator when two servers start on one store', async () => {
      const other = await makeStore();
      const elsewhere = await other.open();
      announced = [];
      const [one] = await Promise.all([open({ store: elsewhere }), open({ store: elsewhere })]);
      expect(await one.users.list()).to.have.length(1);
      expect(announced).to.have.length(1);
      await elsewhere.close();
      await other.remove();
    });

    it('have a user for the global key only while the key is set, always with the same id', async () => {
      expect(await accounts.byName('CUSTOM_API_USER')).to.equal(undefined);
      const key = { username: '', password: '', globalKey: true };
      const made = await (await open({ firstStart: key })).byName('CUSTOM_API_USER');
      expect(made).to.include({ role: 'ROLE_BACKEND_API_USER', enabled: true, authenticationType: 'web' });
      expect(await (await open()).byName('CUSTOM_API_USER')).to.include({ id: made?.id, enabled: false });
      expect(await (await open({ firstStart: key })).byName('CUSTOM_API_USER')).to.include({
        id: made?.id,
        enabled: true,
      });
      expect(await login('CUSTOM_API_USER', '')).to.equal('wrong');
    });
  });

  describe('accept logins of', () => {
    it('users with the right password, whatever the case of the name', async () => {
      await make('Ann');
      expect([
        await login('ann'),
        await login(' ANN '),
        await login('Ann', 'wrong horse'),
        await login('nobody'),
      ]).to.deep.equal(['Ann', 'Ann', 'wrong', 'wrong']);
      expect((await accounts.byName('ann'))?.lastLogin).to.equal(clock.now().toISOString());
    });

    it('no disabled user, and say so only after the right password', async () => {
      await make('ann', { enabled: false });
      expect([await login('ann', 'wrong horse'), await login('ann')]).to.deep.equal(['wrong', 'disabled']);
    });

    it('no name with five wrong passwords, known or not, until an administrator unlocks it', async () => {
      await make('ann');
      for (const name of ['ann', 'nobody']) {
        for (let turn = 0; turn < 5; turn++) expect(await login(name, 'wrong horse')).to.equal('wrong');
        expect(await login(name)).to.equal('locked');
      }
      await accounts.administration.unlock('ann');
      expect(await login('ann')).to.equal('ann');
    });

    it('a user at a known address while strangers lock the name', async () => {
      await make('ann');
      await login('ann', password, { address: '198.51.100.7' });
      for (let turn = 0; turn < 6; turn++) await login('ann', 'wrong horse', { address: '203.0.113.5' });
      expect(await login('ann', password, { address: '203.0.113.5' })).to.equal('locked');
      expect(await login('ann', password, { address: '198.51.100.7' })).to.equal('ann');
      for (let turn = 0; turn < 6; turn++) await login('ann', 'wrong horse', { address: '198.51.100.7' });
      expect(await login('ann', password, { address: '198.51.100.7' })).to.equal('locked');
    });

    it('a user from an address that is new, while a stranger guesses from another one', async () => {
      await make('ann');
      for (let turn = 0; turn < 6; turn++) await login('ann', 'wrong horse', { address: '203.0.113.5' });
      expect(await login('ann', password, { address: '203.0.113.5' })).to.equal('locked');
      expect(await login('ann', password, { address: '198.51.100.8' })).to.equal('ann');
      await accounts.administration.unlock('ann');
      expect(await login('ann', password, { address: '203.0.113.5' })).to.equal('ann');
    });

    it('a user after waiting as long as the refusal says', async () => {
      await make('ann');
      for (let turn = 0; turn < 5; turn++) await login('ann', 'wrong horse');
      const refused = await accounts.authenticate({ username: 'ann', password, address: '192.0.2.1' });
      expect(refused).to.deep.equal({ refused: 'locked', seconds: 7200 });
      clock.forward(7201);
      expect(await login('ann')).to.equal('ann');
    });

    it('only users at known addresses once a hundred networks guess together', async () => {
      await make('ann');
      await login('ann', password, { address: '198.51.100.7' });
      for (let network = 0; network < 100; network++)
        for (let turn = 0; turn < 5; turn++)
          expect(await login('ann', 'wrong horse', { address: `203.0.${network}.5` })).to.equal('wrong');
      expect(await login('ann', password, { address: '203.0.113.200' })).to.equal('locked');
      expect(await login('ann', password, { address: '198.51.100.7' })).to.equal('ann');
      await accounts.administration.unlock('ann');
      expect(await login('ann', password, { address: '203.0.113.200' })).to.equal('ann');
    });

    it('a user whose hash has a lower cost than the current one, and raise the cost', async () => {
      await make('ann');
      accounts = await open({ passwordCost: { n: 2048, r: 8, p: 1 } });
      expect(await login('ann')).to.equal('ann');
      const kept = store.records<{ id: string; passwordHash: string }>('users', {
        keys: ['teamId'],
        unique: ['nameKey', 'seat'],
      });
      expect((await kept.get((await accounts.byName('ann'))?.id ?? ''))?.passwordHash).to.match(/^scrypt\$2048\$/);
      expect(await login('ann')).to.equal('ann');
    });
  });

  describe('reject duplicate names', () => {
    it('that differ only in case, also when two are created at once', async () => {
      const made = await Promise.allSettled(['ann', 'ANN', 'Ann', 'aNN'].map((name) => make(name)));
      expect(made.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      expect(await codeOf(make('ann'))).to.equal('USERNAME_TAKEN');
    });

    it('when a user changes the name, which also ends the sessions', async () => {
      const ann = await make('ann');
      await make('bob');
      expect(await codeOf(accounts.own.changeUsername(ann.id, password, 'BOB'))).to.equal('USERNAME_TAKEN');
      expect(await codeOf(accounts.own.changeUsername(ann.id, 'wrong horse', 'eve'))).to.equal('PASSWORD_WRONG');
      const renamed = await accounts.own.changeUsername(ann.id, password, 'Ann');
      expect(renamed).to.include({ id: ann.id, username: 'Ann', sessionVersion: ann.sessionVersion + 1 });
      expect(await login('ann')).to.equal('Ann');
    });
  });

  describe('under a user limit', () => {
    it('are five in the free tier, however many are created at once', async () => {
      accounts = await open({ cap: { tier: 'free', maxUsers: 0 } });
      const made = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => make(`user${i}`)));
      expect(made.filter(({ status }) => status === 'fulfilled')).to.have.length(4);
      expect(await codeOf(make('late'))).to.equal('USER_CAP_REACHED');
      const [, gone] = await accounts.users.list();
      await accounts.administration.delete('0', gone?.username ?? '');
      expect((await make('late')).username).to.equal('late');
    });

    it('do not count in the free tier if they log in with a provider', async () => {
      accounts = await open({ cap: { tier: 'free', maxUsers: 0 } });
      const elsewhere = (name: string, type: 'oauth2' | 'saml2'): Promise<User> =>
        make(name, { password: null, authenticationType: type });
      for (let i = 0; i < 4; i++) await make(`user${i}`);
      expect(await codeOf(make('local'))).to.equal('USER_CAP_REACHED');
      for (let i = 0; i < 4; i++) await elsewhere(`guest${i}`, i % 2 === 0 ? 'oauth2' : 'saml2');
      expect(await accounts.users.limit()).to.equal(5);
      expect(await accounts.users.freeSeats()).to.equal(0);
      await accounts.users.refuseWhenFull('oauth2');
      expect(await codeOf(accounts.users.refuseWhenFull())).to.equal('USER_CAP_REACHED');
      // Nobody gets past the limit with an account that was made for a provider.
      expect(await codeOf(accounts.administration.setPassword('0', 'guest0', 'correct horse', false))).to.equal(
        'PASSWORD_INVALID',
      );
      const message = await make('local').catch((error: Error) => error.message);
      expect(message).to.equal(
        'The licence of this server allows 5 users who log in with a password; those of login providers are not ' +
          'counted.',
      );
    });

    it('that log in with a provider keep seats from another tier without taking those of others', async () => {
      accounts = await open({ cap: { tier: 'enterprise', maxUsers: 6 } });
      for (let i = 0; i < 3; i++) await make(`guest${i}`, { password: null, authenticationType: 'oauth2' });
      accounts = await open({ cap: { tier: 'free', maxUsers: 0 } });
      const made = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => make(`user${i}`)));
      expect(made.filter(({ status }) => status === 'fulfilled')).to.have.length(4);
      expect(await accounts.users.freeSeats()).to.equal(0);
    });

    it('count for a limit that the operator has set, however they log in', async () => {
      accounts = await open({ cap: { tier: 'team', maxUsers: 2 } });
      await make('guest', { password: null, authenticationType: 'oauth2' });
      expect(await codeOf(make('other', { password: null, authenticationType: 'saml2' }))).to.equal('USER_CAP_REACHED');
    });

    it('remain when a limit is set later, and count for it', async () => {
      for (let i = 0; i < 7; i++) await make(`user${i}`);
      accounts = await open({ cap: { tier: 'free', maxUsers: 0 } });
      expect(await login('user6')).to.equal('user6');
      expect(await codeOf(make('late'))).to.equal('USER_CAP_REACHED');
    });

    it('are as many as the licence allows, without the built-in user', async () => {
      accounts = await open({
        cap: { tier: 'enterprise', maxUsers: 2 },
        firstStart: { username: '', password: '', globalKey: true },
      });
      await make('ann');
      expect(await codeOf(make('bob'))).to.equal('USER_CAP_REACHED');
    });
  });

  describe('under administration', () => {
    const admin = (): Promise<User | undefined> => accounts.byName('admin');

    it('keep an enabled administrator, also when two delete each other at once', async () => {
      const first = await admin();
      const second = await make('second', { role: 'ROLE_ADMIN' });
      const outcomes = await Promise.all([
        codeOf(accounts.administration.changeRole(first?.id ?? '', 'second', 'ROLE_USER')),
        codeOf(accounts.administration.delete(second.id, 'admin')),
      ]);
      expect(outcomes.sort()).to.deep.equal(['ACCOUNT_LAST_ADMIN', 'none']);
      expect((await accounts.users.list()).filter(({ role }) => role === 'ROLE_ADMIN')).to.have.length(1);
    });

    it('cannot be changed by their own administrator, nor if they are built in', async () => {
      accounts = await open({ firstStart: { username: '', password: '', globalKey: true } });
      const id = (await admin())?.id ?? '';
      const { administration } = accounts;
      for (const work of [
        () => administration.changeRole(id, 'ADMIN', 'ROLE_USER'),
        () => administration.setPassword(id, 'admin', 'random', false),
        () => administration.setEnabled(id, 'admin', false),
        () => administration.delete(id, 'admin'),
      ])
        expect(await codeOf(work())).to.equal('ACCOUNT_OWN');
      for (const work of [
        () => administration.changeRole(id, 'custom_api_user', 'ROLE_ADMIN'),
        () => administration.setPassword(id, 'CUSTOM_API_USER', 'new password', false),
        () => administration.delete(id, 'CUSTOM_API_USER'),
        () => administration.unlock('CUSTOM_API_USER'),
      ])
        expect(await codeOf(work())).to.equal('ACCOUNT_BUILT_IN');
    });

    it('notify listeners of every change and deletion before the call returns', async () => {
      const heard: string[] = [];
      accounts.onUserChange(async (id, what) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        heard.push(`${id} ${what}`);
      });
      const { id } = await make('ann');
      await accounts.administration.setEnabled('0', 'ann', false);
      expect(heard).to.deep.equal([`${id} disabled`]);
      await accounts.administration.setEnabled('0', 'ann', true);
      await accounts.administration.delete('0', 'ann');
      expect(heard).to.deep.equal([`${id} disabled`, `${id} changed`, `${id} gone`]);
      expect((await make('ann')).id).not.to.equal(id);
    });

    it('lose their sessions with a new password, role or state', async () => {
      const versions: (number | undefined)[] = [];
      const note = async (): Promise<void> => void versions.push((await accounts.byName('ann'))?.sessionVersion);
      const { id } = await make('ann');
      await note();
      await accounts.own.changePassword(id, password, 'new password');
      await note();
      await accounts.administration.setPassword('0', 'ann', 'random', true);
      await note();
      await accounts.administration.changeRole('0', 'ann', 'ROLE_DEMO_USER');
      await note();
      await accounts.administration.setEnabled('0', 'ann', false);
      await note();
      expect(versions).to.deep.equal([1, 2, 3, 4, 5]);
    });

    it('limit password guesses with a stolen key, which does not lock the login', async () => {
      const { id } = await make('ann');
      for (let turn = 0; turn < 5; turn++)
        expect(await codeOf(accounts.own.changePassword(id, 'wrong horse', 'new password'))).to.equal('PASSWORD_WRONG');
      expect(await codeOf(accounts.own.changePassword(id, password, 'new password'))).to.equal('ATTEMPTS_USED_UP');
      expect(await login('ann')).to.equal('ann');
    });
  });

  it('store no readable secret', async () => {
    const { id } = await make('ann', { password: 's3cr3t-canary-password' });
    const { secret: totp } = await accounts.secondFactor.setup(id);
    const { token } = await accounts.invites.create({ role: 'ROLE_USER', hours: 1, createdBy: 'admin' });
    const files =
      temporary.folder === undefined
        ? await collectionTexts(store)
        : readdirSync(temporary.folder, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    expect(
      files.some((text) => text.includes('scrypt$')),
      'the store was read',
    ).to.equal(true);
    for (const canary of ['s3cr3t-canary-password', totp, token])
      for (const text of [...files, ...log.lines]) expect(text.includes(canary)).to.equal(false);
  });
});

/** Returns every collection of a MongoDB as text. */
async function collectionTexts({ mongo }: Store): Promise<string[]> {
  const collections = (await mongo?.database.collections()) ?? [];
  return Promise.all(collections.map(async (collection) => JSON.stringify(await collection.find().toArray())));
}
