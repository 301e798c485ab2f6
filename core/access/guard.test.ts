import { randomBytes } from 'node:crypto';
import { AccessError, OperationalError, isQuireError, type Access, type Principal } from '@quire/registry';
import { expect } from 'chai';
import { HandClock, MemoryAccounts } from '../../test/suites/memory-accounts.js';
import { SecondFactorPolicy, principalOf } from '../accounts/index.js';
import { Guard, type Credentials, type GuardLogin } from './guard.js';
import { GlobalKey } from '../accounts/keys/index.js';
import type { Product } from '../billing/licence.js';
import { ServerSecret } from '../secrets/secret.js';
import { Throttle } from '../accounts/index.js';

const product: Product = { loginEnabled: true, tier: 'enterprise', hosting: 'selfHosted' };

describe('Guard', () => {
  let accounts: MemoryAccounts;
  let login: GuardLogin;
  let uses: string[];
  const from = (credentials: Partial<Credentials> = {}): Credentials => ({ address: '192.0.2.1', ...credentials });
  const guard = (more: Partial<Product> = {}): Guard =>
    new Guard({ ...product, ...more }, more.loginEnabled === false ? undefined : login);
  const answer = async (
    g: Guard,
    access: Access | undefined,
    credentials: Partial<Credentials> = {},
  ): Promise<string> => {
    try {
      return (await g.check(access, from(credentials))).name;
    } catch (error) {
      if (isQuireError(error)) return error.code;
      throw error;
    }
  };

  beforeEach(() => {
    accounts = new MemoryAccounts();
    const anna = accounts.add({ username: 'anna' });
    const boss = accounts.add({ username: 'boss', role: 'ROLE_ADMIN' });
    accounts.add({ username: 'CUSTOM_API_USER', role: 'ROLE_BACKEND_API_USER' });
    uses = [];
    const known = { 'anna-key': { keyId: 'k1', user: anna }, 'boss-key': { keyId: 'k2', user: boss } } as const;
    login = {
      accounts,
      throttle: new Throttle(),
      secondFactorPolicy: SecondFactorPolicy.none(),
      globalKey: new GlobalKey('global-key', accounts, new ServerSecret(randomBytes(32)), new HandClock()),
      keys: { find: async (key) => known[key as keyof typeof known], used: (keyId) => void uses.push(keyId) },
      sessions: {
        verify: async (token) => {
          if (token === 'anna-token') return { user: anna, session: { id: 's1' } };
          throw token === 'disabled-token'
            ? new AccessError('ACCOUNT_DISABLED')
            : new AccessError('TOKEN_INVALID', { detail: 'Invalid token' });
        },
      },
    };
  });

  it('admits everybody while login is off, and does not read the store', async () => {
    for (const access of [undefined, { role: 'user' }, { role: 'admin' }, { role: 'public' }] as const)
      expect(await answer(guard({ loginEnabled: false }), access, { key: 'anna-key' })).to.equal('anonymous');
    expect(accounts.reads).to.equal(0);
  });

  it('requires credentials while login is on, also on routes that declare no access', async () => {
    for (const access of [undefined, {}, { role: 'user' }, { role: 'admin' }] as const) {
      for (const [n, credentials] of [
        {},
        { key: '' },
        { key: 'wrong' },
        { key: 'anna-ke' },
        { key: 'anna-key, anna-key' },
        { key: 'x'.repeat(1_000_000) },
        { key: '', bearer: '' },
      ].entries()) {
        expect(await answer(guard(), access, { ...credentials, address: `192.0.2.${n}` })).to.equal('KEY_INVALID');
      }
    }
    expect(await answer(guard(), undefined, { bearer: 'anna-key' }), 'a key is not a token').to.equal('TOKEN_INVALID');
    expect(await answer(guard(), undefined, { key: 'anna-token' }), 'a token is not a key').to.equal('KEY_INVALID');
  });

  it('checks the key first, then the token', async () => {
    expect(await answer(guard(), {}, { key: 'boss-key', bearer: 'anna-token' })).to.equal('boss');
    expect(await answer(guard(), {}, { key: 'wrong', bearer: 'anna-token' })).to.equal('KEY_INVALID');
    expect(await answer(guard(), {}, { key: '', bearer: 'anna-token' })).to.equal('anna');
    expect(await answer(guard(), {}, { bearer: 'disabled-token' })).to.equal('ACCOUNT_DISABLED');
  });

  it('restricts administrator routes to administrators', async () => {
    expect(await answer(guard(), { role: 'admin' }, { key: 'boss-key' })).to.equal('boss');
    for (const credentials of [{ key: 'anna-key' }, { bearer: 'anna-token' }, { key: 'global-key' }])
      expect(await answer(guard(), { role: 'admin' }, credentials)).to.equal('ADMIN_ONLY');
  });

  it('recognises the global key as the built-in user while it is enabled', async () => {
    const caller = await guard().check({}, from({ key: 'global-key' }));
    expect(caller).to.deep.equal({
      id: '3',
      name: 'CUSTOM_API_USER',
      role: 'user',
      roles: ['ROLE_BACKEND_API_USER'],
      via: 'globalKey',
    });
    await accounts.change('3', { enabled: false });
    expect(await answer(guard(), {}, { key: 'global-key' })).to.equal('KEY_INVALID');
  });

  it('rejects every key as the global key when none is set', async () => {
    login = { ...login, globalKey: new GlobalKey('', accounts, new ServerSecret(randomBytes(32)), new HandClock()) };
    expect(await answer(guard(), {}, { key: '' })).to.equal('KEY_INVALID');
    expect(await answer(guard(), {}, { key: ' ' })).to.equal('KEY_INVALID');
  });

  it('answers public routes with any credentials, also while the store is down', async () => {
    expect(await answer(guard(), { role: 'public' })).to.equal('anonymous');
    expect(await answer(guard(), { role: 'public' }, { key: 'anna-key' })).to.equal('anna');
    for (let i = 0; i < 30; i += 1)
      expect(await answer(guard(), { role: 'public' }, { key: `wrong ${i}` })).to.equal('anonymous');
    login = {
      ...login,
      keys: {
        find: async () => {
          throw new OperationalError('STORE_DOWN');
        },
        used: () => undefined,
      },
    };
    expect(await answer(guard(), { role: 'public' }, { key: 'anna-key' })).to.equal('anonymous');
    expect(await answer(guard(), {}, { key: 'anna-key' }), 'but nobody gets further without it').to.equal('STORE_DOWN');
  });

  it('hides routes that exist only with login', async () => {
    expect(await answer(guard({ loginEnabled: false }), { needsLogin: true })).to.equal('LOGIN_REQUIRED');
    expect(await answer(guard({ loginEnabled: false }), { needsLogin: true, role: 'public' })).to.equal(
      'LOGIN_REQUIRED',
    );
  });

  it('hides routes outside the licence or hosting, but only from recognised callers', async () => {
    expect(await answer(guard({ tier: 'free' }), { licence: 'team' }, { key: 'anna-key' })).to.equal(
      'LICENCE_REQUIRED',
    );
    expect(await answer(guard({ tier: 'free' }), { licence: 'team' })).to.equal('KEY_INVALID');
    expect(await answer(guard({ tier: 'team' }), { licence: 'team' }, { key: 'anna-key' })).to.equal('anna');
    expect(await answer(guard(), { hosting: 'cloud' }, { key: 'anna-key' })).to.equal('LICENCE_REQUIRED');
  });

  it('records the use of a key only when the request is admitted', async () => {
    await answer(guard(), {}, { key: 'anna-key' });
    await answer(guard(), { role: 'admin' }, { key: 'anna-key' });
    await answer(guard(), {}, { bearer: 'anna-token' });
    expect(uses).to.deep.equal(['k1']);
  });

  it('throttles an address that sends wrong keys, and still accepts right ones from it', async () => {
    for (let i = 0; i < 10; i += 1) expect(await answer(guard(), {}, { key: `wrong ${i}` })).to.equal('KEY_INVALID');
    expect(await answer(guard(), {}, { key: 'wrong again' })).to.equal('TOO_MANY_ATTEMPTS');
    expect(await answer(guard(), {}, { key: 'anna-key' })).to.equal('anna');
    expect(await answer(guard(), {}, { key: 'wrong', address: '192.0.2.2' }), 'from another address').to.equal(
      'KEY_INVALID',
    );
    expect(await answer(guard(), {}), 'without any key').to.equal('KEY_INVALID');
  });

  it('refuses callers who must change the password or set up a second factor, except on routes for that', async () => {
    const id = (await accounts.byName('boss'))!.id;
    for (const [duties, duty, code] of [
      [{ mustChangePassword: true, mfaRequired: true }, 'password', 'PASSWORD_CHANGE_REQUIRED'],
      [{ mustChangePassword: false, mfaRequired: true }, 'secondFactor', 'MFA_SETUP_REQUIRED'],
    ] as const) {
      await accounts.change(id, duties);
      const user = (await accounts.byName('boss'))!;
      login = { ...login, keys: { find: async () => ({ keyId: 'k2', user }), used: () => undefined } };
      for (const access of [undefined, {}, { role: 'admin' }, { openBefore: [] }] as const)
        expect(await answer(guard(), access, { key: 'boss-key' })).to.equal(code);
      expect(await answer(guard(), { role: 'public' }, { key: 'boss-key' })).to.equal('anonymous');
      expect(await answer(guard(), { openBefore: [duty] }, { key: 'boss-key' })).to.equal('boss');
    }
    const done = { ...(await accounts.byName('boss'))!, mfaEnabled: true };
    login = { ...login, keys: { find: async () => ({ keyId: 'k2', user: done }), used: () => undefined } };
    expect(await answer(guard(), { role: 'admin' }, { key: 'boss-key' })).to.equal('boss');
  });

  it('denies pipeline steps that the caller may not call', async () => {
    const user = await guard().check({}, from({ key: 'anna-key' }));
    const step = { method: 'POST', path: '/api/v1/general/rotate-pdf' };
    expect(guard().whyNot({ role: 'admin' }, user, step)).to.equal('Only administrators can use it.');
    expect(guard().whyNot({}, user, step)).to.equal(undefined);
    expect(guard({ tier: 'free' }).whyNot({ licence: 'team' }, user, step)).to.equal('It needs the team licence.');
  });

  it('checks the account again when work resumes after a restart', async () => {
    const resume = async (caller: Principal | undefined): Promise<string> =>
      guard()
        .resume(caller)
        .then(
          ({ name, role }) => `${name} ${role}`,
          (error: unknown) => (isQuireError(error) ? error.code : 'unexpected'),
        );
    const boss = principalOf((await accounts.byName('boss'))!, 'key', { keyId: 'k2' });
    expect(await resume(boss)).to.equal('boss admin');
    await accounts.change(boss.id, { role: 'ROLE_USER' });
    expect(await resume(boss)).to.equal('boss user');
    await accounts.change(boss.id, { enabled: false });
    expect(await resume(boss)).to.equal('ACCOUNT_DISABLED');
    await accounts.remove(boss.id);
    expect(await resume(boss)).to.equal('ACCOUNT_DISABLED');
    expect(
      await resume({ id: '', name: 'anonymous', role: 'anonymous', via: 'none' }),
      'begun while login was off',
    ).to.equal('ACCOUNT_DISABLED');
  });

  it('acts as the enabled account of the settings, and as anybody while login is off', async () => {
    const as = async (name: string, more: Partial<Product> = {}): Promise<string> =>
      guard(more)
        .actAs(name)
        .then(
          ({ name: who, role }) => `${who} ${role}`,
          (error: unknown) => (isQuireError(error) ? error.code : String(error)),
        );
    accounts.add({ username: 'gone', enabled: false });
    expect(
      await Promise.all([
        as('anna'),
        as('boss'),
        as(''),
        as('nobody'),
        as('gone'),
        as('nobody', { loginEnabled: false }),
      ]),
    ).to.deep.equal([
      'anna user',
      'boss admin',
      'ACCOUNT_DISABLED',
      'ACCOUNT_DISABLED',
      'ACCOUNT_DISABLED',
      'anonymous anonymous',
    ]);
  });
});
