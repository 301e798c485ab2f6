import type { Logger } from '@quire/registry';
import { isQuireError } from '@quire/registry';
import { expect } from 'chai';
import { describeStores } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { builtInRoles, unlimited, type Rights } from './model.js';
import { Roles } from './roles.js';

const log: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const rights: Rights = {
  categories: ['general'],
  operations: { allow: [], deny: [] },
  storage: 'none',
  automations: false,
  apiKeys: false,
  areas: [],
  limits: unlimited,
};
const content = { title: 'Desk', description: '', rights };
const anna = { id: '7', roles: ['ROLE_DESK'], teamId: '3' };
const call = (tool: string) => ({ method: 'post', tool });

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (isQuireError(error) ? error.code : String(error)),
  );
}

describeStores('roles', (make, kind) => {
  let store: Store;
  let remove: () => Promise<void>;
  let nodes: Roles[];
  const node = async (more: Partial<ConstructorParameters<typeof Roles>[0]> = {}): Promise<Roles> => {
    const roles = new Roles({
      store,
      log,
      clock: { now: () => new Date('2026-11-29T12:00:00Z') },
      rateLimit: false,
      defaultRole: 'ROLE_USER',
      portal: 'EXPLICIT_ONLY',
      pollMs: 20,
      ...more,
    });
    nodes.push(roles);
    await roles.start();
    return roles;
  };
  beforeEach(async () => {
    const home = await make();
    store = await home.open();
    remove = () => home.remove();
    nodes = [];
  });
  afterEach(async () => {
    for (const each of nodes) each.stop();
    await store.close();
    await remove();
  });

  it('as shipped include every tool, and only one includes administration', async () => {
    const roles = await node();
    for (const { name } of builtInRoles(false)) {
      const holder = { id: '1', roles: [name] };
      expect(roles.lack(holder, undefined, call('general/rotate-pdf')), name).to.equal(undefined);
      const isAdmin = name === 'ROLE_ADMIN';
      expect(roles.lack(holder, { role: 'admin' }, call('x')) === undefined, name).to.equal(isAdmin);
    }
  });

  it('that do not exist include nothing', async () => {
    const roles = await node();
    expect(roles.lack(anna, undefined, call('general/rotate-pdf'))).to.include('general/rotate-pdf');
    expect(roles.lack({ id: '7' }, undefined, call('general/rotate-pdf'))).to.include('general/rotate-pdf');
    expect(roles.rightsOf(anna).storage).to.equal('none');
  });

  it('and grants act after a restart', async () => {
    const first = await node();
    await first.create('ROLE_DESK', content, 'boss');
    await first.change('ROLE_USER', 0, content, 'boss');
    const key = {
      resourceType: 'OPERATION',
      resourceId: 'misc/ocr-pdf',
      principalType: 'TEAM',
      principalId: '3',
    } as const;
    const { id } = await first.give(key, 'USE', 'boss');
    const second = await node();
    expect(second.lack(anna, undefined, call('misc/ocr-pdf'))).to.equal(undefined);
    expect(second.lack({ id: '8', roles: ['ROLE_USER'] }, undefined, call('misc/ocr-pdf'))).to.include('misc/ocr-pdf');
    expect((await second.give(key, 'USE', 'boss')).id, 'the same grant').to.equal(id);
    await second.takeBack(id);
    expect((await second.give(key, 'USE', 'boss')).id, 'numbers are not used twice').not.to.equal(id);
  });

  it('are changed by one of two calls at once, whichever node they reach', async () => {
    const [one, two] = [await node(), await node()];
    const made = await Promise.all([one, two].map((each) => codeOf(each.create('ROLE_DESK', content, 'boss'))));
    expect(made.sort()).to.deep.equal(['ROLE_TAKEN', 'done']);
    for (const [name, version] of [
      ['ROLE_DESK', 1],
      ['ROLE_DEMO_USER', 0],
    ] as const) {
      const [a, b] = [await node(), await node()];
      const changed = await Promise.all([a, b].map((each) => codeOf(each.change(name, version, content, 'boss'))));
      expect(changed.sort(), name).to.deep.equal(['ROLE_CHANGED', 'done']);
    }
  });

  it('are not deleted while somebody has them, also if that happens meanwhile', async () => {
    const roles = await node();
    await roles.create('ROLE_DESK', content, 'boss');
    expect(await codeOf(roles.delete('ROLE_DESK', async () => 1))).to.equal('ROLE_IN_USE');
    let asked = 0;
    expect(await codeOf(roles.delete('ROLE_DESK', async () => asked++))).to.equal('ROLE_IN_USE');
    expect(roles.get('ROLE_DESK').rights).to.deep.equal(rights);
    expect(await codeOf(roles.delete('ROLE_DESK', async () => 0))).to.equal('done');
    expect(roles.isAssignable('ROLE_DESK')).to.equal(false);
  });

  if (kind === 'mongodb')
    it('reach other nodes of a shared store within the poll interval', async () => {
      const [here, there] = [await node(), await node()];
      await here.create('ROLE_DESK', content, 'boss');
      for (let tries = 0; !there.isAssignable('ROLE_DESK') && tries < 200; tries++)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(there.rightsOf(anna)).to.deep.equal(rights);
    });

  it('of new accounts must exist', async () => {
    const roles = await node({ defaultRole: 'ROLE_DESK' });
    expect(() => roles.defaultRole()).to.throw('security.defaultRole');
    await roles.create('ROLE_DESK', content, 'boss');
    expect(roles.defaultRole()).to.equal('ROLE_DESK');
    expect(await codeOf(roles.delete('ROLE_DESK', async () => 0))).to.equal('ROLE_IN_USE');
  });

  it('let people use the portal by default, as leads, or by a grant', async () => {
    const lead = { ...anna, teamLead: true };
    for (const [portal, expected] of [
      ['ORG_ALL', [true, true]],
      ['ADMINS_AND_TEAM_LEADS', [false, true]],
      ['EXPLICIT_ONLY', [false, false]],
    ] as const) {
      const roles = await node({ portal });
      expect(
        [anna, lead].map((each) => roles.mayUsePortal(each)),
        portal,
      ).to.deep.equal(expected);
      expect(roles.mayUsePortal({ id: '1', roles: ['ROLE_ADMIN'] })).to.equal(true);
    }
    const roles = await node();
    await roles.give(
      { resourceType: 'PORTAL', resourceId: '', principalType: 'USER', principalId: '7' },
      'USE',
      'boss',
    );
    expect(roles.mayUsePortal(anna)).to.equal(true);
    await roles.forgetHolder('USER', '7');
    expect(roles.mayUsePortal(anna)).to.equal(false);
  });
});
