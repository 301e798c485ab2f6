import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { codeOf } from '../../test/suites/code-of.js';
import { HandClock, keptLog } from '../../test/suites/memory-accounts.js';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { ServerSecret } from '../secrets/index.js';
import { openAccounts, type AccountServices } from './accounts.js';
import type { InviteOrder } from './invites.js';

describeStores('Invites and teams', (make) => {
  let temporary: TemporaryStore;
  let store: Store;
  let clock: HandClock;
  let accounts: AccountServices;
  const invite = async (more: Partial<InviteOrder> = {}): Promise<string> =>
    (await accounts.invites.create({ role: 'ROLE_USER', hours: 72, createdBy: 'admin', ...more })).token;

  beforeEach(async () => {
    temporary = await make();
    store = await temporary.open();
    clock = new HandClock();
    accounts = await openAccounts({
      store,
      secret: new ServerSecret(randomBytes(32)),
      clock,
      log: keptLog(),
      issuer: 'Quire',
      announce: () => undefined,
      passwordCost: { n: 1024, r: 8, p: 1 },
      cap: { tier: 'enterprise', maxUsers: 0 },
      lock: { attempts: 5, minutes: 120 },
      firstStart: { username: '', password: '', globalKey: false },
    });
  });
  afterEach(async () => {
    await store.close();
    await temporary.remove();
  });

  it('create the account that the administrator chose', async () => {
    const team = await accounts.teams.create('Blue');
    const token = await invite({ email: 'Ann@Example.org', role: 'ROLE_WEB_ONLY_USER', teamId: team.id });
    const user = await accounts.invites.accept(token, 'eve@example.org', 'correct horse');
    expect(user).to.include({
      username: 'ann@example.org',
      role: 'ROLE_WEB_ONLY_USER',
      teamId: team.id,
      enabled: true,
    });
    expect(await codeOf(accounts.invites.open(token))).to.equal('INVITE_UNKNOWN');
  });

  it('create one account each, however many accept at once', async () => {
    const token = await invite();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        codeOf(accounts.invites.accept(token, `user${i}@example.org`, 'correct horse')),
      ),
    );
    expect(outcomes.filter((code) => code === 'none')).to.have.length(1);
    expect(new Set(outcomes)).to.deep.equal(new Set(['none', 'INVITE_UNKNOWN']));
  });

  it('are open again when the account could not be created', async () => {
    await accounts.users.create({ username: 'ann@example.org', password: 'correct horse', role: 'ROLE_USER' });
    const token = await invite();
    expect(await codeOf(accounts.invites.accept(token, 'ann@example.org', 'correct horse'))).to.equal('USERNAME_TAKEN');
    expect(await codeOf(accounts.invites.accept(token, 'bob@example.org', 'short'))).to.equal('PASSWORD_INVALID');
    expect(await codeOf(accounts.invites.accept(token, undefined, 'correct horse'))).to.equal('INVITE_INVALID');
    expect((await accounts.invites.accept(token, 'bob@example.org', 'correct horse')).username).to.equal(
      'bob@example.org',
    );
  });

  it('are valid until they expire or are revoked', async () => {
    const [first, second] = [await invite({ hours: 1 }), await invite({ hours: 2 })];
    clock.forward(3600);
    expect(await codeOf(accounts.invites.open(first))).to.equal('INVITE_UNKNOWN');
    expect((await accounts.invites.list()).map(({ id }) => id)).to.deep.equal(['2']);
    await accounts.invites.revoke('2');
    expect(await codeOf(accounts.invites.open(second))).to.equal('INVITE_UNKNOWN');
    expect(await codeOf(accounts.invites.revoke('2'))).to.equal('INVITE_UNKNOWN');
    expect([await accounts.invites.cleanUp(), await accounts.invites.cleanUp()]).to.deep.equal([1, 0]);
  });

  it('are open once per address, until they are used or expire', async () => {
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => codeOf(invite({ email: 'ann@example.org', hours: 1 }))),
    );
    expect(opened.sort()).to.deep.equal(['INVITE_TAKEN', 'INVITE_TAKEN', 'INVITE_TAKEN', 'none']);
    clock.forward(3600);
    const token = await invite({ email: 'ANN@example.org' });
    await accounts.invites.accept(token, undefined, 'correct horse');
    expect(await codeOf(invite({ email: 'ann@example.org' }))).to.equal('INVITE_TAKEN');
  });

  it('reject invalid requests', async () => {
    const wrong: readonly (readonly [Partial<InviteOrder>, string])[] = [
      [{ email: 'no address' }, 'INVITE_INVALID'],
      [{ email: 'ann@example.org\r\nBcc: eve@example.org' }, 'INVITE_INVALID'],
      [{ hours: 0 }, 'INVITE_INVALID'],
      [{ hours: 1.5 }, 'INVITE_INVALID'],
      [{ hours: 8761 }, 'INVITE_INVALID'],
      [{ role: 'ROLE_BACKEND_API_USER' }, 'ROLE_INVALID'],
      [{ teamId: '99' }, 'TEAM_INVALID'],
      [{ teamId: accounts.teams.internalId }, 'TEAM_INVALID'],
    ];
    for (const [order, code] of wrong) expect(await codeOf(invite(order)), JSON.stringify(order)).to.equal(code);
    for (const token of ['', 'x', '0'.repeat(10_000), '%00', '{"$ne":null}'])
      expect(await codeOf(accounts.invites.open(token))).to.equal('INVITE_UNKNOWN');
  });

  it("reject duplicate team names and changes of the server's own teams", async () => {
    const made = await Promise.all(['Blue', 'BLUE', ' blue '].map((name) => codeOf(accounts.teams.create(name))));
    expect(made.sort()).to.deep.equal(['TEAM_TAKEN', 'TEAM_TAKEN', 'none']);
    for (const name of ['', ' ', 'x'.repeat(101), 'a\u202eb', 'a\nb'])
      expect(await codeOf(accounts.teams.create(name)), JSON.stringify(name)).to.equal('TEAM_INVALID');
    expect(await codeOf(accounts.teams.create('default'))).to.equal('TEAM_TAKEN');
    for (const id of [accounts.teams.defaultId, accounts.teams.internalId])
      for (const work of [accounts.teams.rename(id, 'Red'), accounts.teams.delete(id)])
        expect(await codeOf(work)).to.equal('TEAM_INVALID');
  });

  it('move members, who lose the lead of their old team, and delete only empty teams', async () => {
    const [blue, red] = [await accounts.teams.create('Blue'), await accounts.teams.create('Red')];
    const ann = await accounts.users.create({ username: 'ann', password: 'correct horse', role: 'ROLE_USER' });
    expect(await codeOf(accounts.administration.setLead(ann.id, blue.id, true))).to.equal('TEAM_INVALID');
    await accounts.administration.moveToTeam(ann.id, blue.id);
    await accounts.administration.setLead(ann.id, blue.id, true);
    expect(await accounts.toWire((await accounts.byId(ann.id)) ?? ann)).to.deep.include({
      teamLead: true,
      team: { id: Number(blue.id), name: 'Blue' },
    });
    expect(await codeOf(accounts.teams.delete(blue.id))).to.equal('TEAM_INVALID');
    await accounts.administration.moveToTeam(ann.id, red.id);
    expect(await accounts.byId(ann.id)).to.include({ teamId: red.id, teamLead: false });
    expect(await codeOf(accounts.teams.delete(blue.id))).to.equal('none');
    expect(await codeOf(accounts.administration.moveToTeam(ann.id, blue.id))).to.equal('TEAM_UNKNOWN');
  });
});
