import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { openAccounts, type AccountServices } from '../accounts/index.js';
import { Roles } from '../roles/index.js';
import { ServerSecret } from '../secrets/secret.js';
import type { Store } from '../store/index.js';
import { applyGroups, type GroupRules } from './group-rules.js';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = { now: () => new Date('2026-11-29T12:00:00Z') };

describe('Roles by group', () => {
  let place: TemporaryStore;
  let store: Store;
  let roles: Roles;
  let accounts: AccountServices;
  const rules: GroupRules = { roles: [['desk', 'ROLE_DESK']], teams: [], fallback: 'ROLE_PRO_USER' };

  before(async () => {
    place = await temporaryEmbeddedStore();
    store = await place.open();
    roles = new Roles({ store, clock, log, rateLimit: false, defaultRole: 'ROLE_USER', portal: 'ORG_ALL' });
    await roles.start();
    accounts = await openAccounts({
      store,
      secret: new ServerSecret(randomBytes(32)),
      clock,
      log,
      roles,
      cap: { tier: 'enterprise', maxUsers: 0 },
      lock: { attempts: 5, minutes: 120 },
      firstStart: { username: 'boss', password: 'the-password-of-the-boss', globalKey: false },
      issuer: 'Quire',
      announce: () => undefined,
      passwordCost: { n: 1024, r: 8, p: 1 },
    });
  });
  after(async () => {
    await store.close();
    await place.remove();
  });

  it('may be roles that administrators have made, if they exist at the login', async () => {
    const user = await accounts.users.create({
      username: 'ada',
      password: null,
      role: 'ROLE_USER',
      authenticationType: 'oauth2',
    });
    const early = await applyGroups(accounts, rules, user, ['desk']);
    expect(early.user.role).to.equal('ROLE_USER');
    expect(early.kept).to.include('ROLE_DESK');
    const content = { title: 'Desk', description: '', rights: roles.get('ROLE_USER').rights };
    await roles.create('ROLE_DESK', content, 'boss');
    const later = await applyGroups(accounts, rules, user, ['desk']);
    expect([later.user.role, later.kept]).to.deep.equal(['ROLE_DESK', undefined]);
    const without = await applyGroups(accounts, rules, later.user, ['other']);
    expect(without.user.role, 'the default role').to.equal('ROLE_PRO_USER');
  });

  it('are not given to new accounts while they do not exist', async () => {
    const order = { username: 'bob', password: null, role: 'ROLE_NOWHERE', authenticationType: 'oauth2' } as const;
    const error = await accounts.users.create(order).catch((each: { code: string }) => each);
    expect(error).to.include({ code: 'ROLE_INVALID' });
  });
});
