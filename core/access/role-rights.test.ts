import { isQuireError, type Access, type Principal } from '@quire/registry';
import { expect } from 'chai';
import { MemoryAccounts } from '../../test/suites/memory-accounts.js';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { SecondFactorPolicy, Throttle } from '../accounts/index.js';
import { Roles } from '../roles/index.js';
import type { Store } from '../store/index.js';
import { Guard, type GuardLogin } from './guard.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const tool = { method: 'POST', path: '/api/v1/misc/ocr-pdf' };
const clerk: Principal = { id: '7', name: 'clerk', role: 'user', roles: ['ROLE_CLERK'], via: 'session' };

describe('The guard with roles', () => {
  let place: TemporaryStore;
  let store: Store;
  let roles: Roles;
  let guard: Guard;
  const codeOf = (access: Access | undefined, caller: Principal, route = tool): string => {
    try {
      guard.recheck(access, caller, route);
      return 'done';
    } catch (error) {
      if (isQuireError(error)) return error.code;
      throw error;
    }
  };

  before(async () => {
    place = await temporaryEmbeddedStore();
    store = await place.open();
    const clock = { now: () => new Date('2026-11-29T12:00:00Z') };
    roles = new Roles({ store, clock, log: quiet, rateLimit: false, defaultRole: 'ROLE_USER', portal: 'ORG_ALL' });
    await roles.start();
    const rights = { ...roles.get('ROLE_USER').rights, categories: ['general'], areas: ['users'] };
    await roles.create('ROLE_CLERK', { title: 'Clerk', description: '', rights }, 'boss');
    const login: GuardLogin = {
      accounts: new MemoryAccounts(),
      throttle: new Throttle(),
      secondFactorPolicy: SecondFactorPolicy.none(),
      globalKey: { find: async () => undefined },
      keys: { find: async () => undefined, used: () => undefined },
      sessions: {
        verify: async () => {
          throw new Error('nobody logs in here');
        },
      },
    };
    guard = new Guard({ loginEnabled: true, tier: 'enterprise', hosting: 'selfHosted' }, login, undefined, [], {
      lack: (holder, access, call) => roles.lack(holder, access, call),
      administers: (holder) => roles.rightsOf(holder).areas?.length !== 0,
      titleOf: (role) => roles.titleOf(role),
      toolOf: (path) => (/^\/api\/v1\/(misc|general)\//.test(path) ? path.slice('/api/v1/'.length) : undefined),
    });
  });
  after(async () => {
    await store.close();
    await place.remove();
  });

  it('refuses what was begun earlier when the role does not include it any more', async () => {
    expect(codeOf(undefined, clerk)).to.equal('RIGHTS_MISSING');
    expect(codeOf(undefined, clerk, { method: 'POST', path: '/api/v1/general/rotate-pdf' })).to.equal('done');
    expect(codeOf(undefined, { ...clerk, roles: ['ROLE_USER'] })).to.equal('done');
    expect(codeOf(undefined, { ...clerk, roles: ['ROLE_USER'], scope: { readOnly: true } })).to.equal('KEY_SCOPE');
    const key = {
      resourceType: 'OPERATION',
      resourceId: 'misc/ocr-pdf',
      principalType: 'USER',
      principalId: '7',
    } as const;
    const { id } = await roles.give(key, 'USE', 'boss');
    expect(codeOf(undefined, clerk)).to.equal('done');
    await roles.takeBack(id);
    expect(codeOf(undefined, clerk)).to.equal('RIGHTS_MISSING');
  });

  it('tells administrators of some areas from users and from full administrators', () => {
    const users = { role: 'admin', area: 'users' } as const;
    const user = { ...clerk, roles: ['ROLE_USER'] };
    const boss: Principal = { ...clerk, role: 'admin', roles: ['ROLE_ADMIN'] };
    expect([user, clerk, boss].map((each) => codeOf(users, each))).to.deep.equal(['ADMIN_ONLY', 'done', 'done']);
    expect([user, clerk, boss].map((each) => codeOf({ role: 'admin' }, each))).to.deep.equal([
      'ADMIN_ONLY',
      'RIGHTS_MISSING',
      'done',
    ]);
  });

  it('agrees with itself about steps, shown reasons and calls', () => {
    for (const access of [undefined, { role: 'admin' }, { role: 'admin', area: 'users' }] as const)
      for (const caller of [clerk, { ...clerk, roles: ['ROLE_USER'] }, { ...clerk, roles: ['ROLE_GONE'] }]) {
        const isRefused = codeOf(access, caller) !== 'done';
        expect(guard.whyNot(access, caller, tool) === undefined).to.equal(!isRefused);
        expect(guard.refusal(access, caller, tool) !== undefined).to.equal(isRefused);
      }
    expect(guard.refusal(undefined, clerk, tool)?.reason)
      .to.include('"Clerk" (ROLE_CLERK)')
      .and.include('misc/ocr-pdf');
    expect(guard.lack({ role: 'admin' }, clerk, tool), 'administration is not hidden').to.equal(undefined);
  });
});
