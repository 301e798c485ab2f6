import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { SoftwarePasskey } from '../../../test/http/support/software-authenticator.js';
import { codeOf } from '../../../test/suites/code-of.js';
import { HandClock, keptLog } from '../../../test/suites/memory-accounts.js';
import { describeStores, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import { ServerSecret } from '../../secrets/index.js';
import type { Store } from '../../store/index.js';
import { openAccounts, type AccountServices } from '../accounts.js';
import type { User } from '../model.js';
import { MAX_OPEN_LOGINS } from './model.js';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from './verify.js';

const origin = 'https://pdf.example.org';
const rp = { id: 'pdf.example.org', origins: [origin] };
const address = '192.0.2.1';

describeStores('Passkeys in the store', (make) => {
  let temporary: TemporaryStore;
  let store: Store;
  let clock: HandClock;
  let log: ReturnType<typeof keptLog>;
  /** Two servers on one store. */
  let nodes: readonly [AccountServices, AccountServices];
  let ann: User;
  const secret = new ServerSecret(randomBytes(32));
  const server = (): Promise<AccountServices> =>
    openAccounts({
      store,
      secret,
      clock,
      log,
      issuer: 'Quire',
      announce: () => undefined,
      passwordCost: { n: 1024, r: 8, p: 1 },
      cap: { tier: 'enterprise', maxUsers: 0 },
      lock: { attempts: 5, minutes: 120 },
      firstStart: { username: '', password: '', globalKey: false },
    });
  const inSession = (sessionId = 'one') => ({ userId: ann.id, sessionId });
  const created = async (passkey: SoftwarePasskey, sessionId = 'one'): Promise<RegistrationResponseJSON> => {
    const options = await nodes[0].passkeys.beginRegistration(inSession(sessionId), rp);
    return passkey.create(options as Parameters<typeof passkey.create>[0]) as unknown as RegistrationResponseJSON;
  };
  const registered = async (): Promise<SoftwarePasskey> => {
    const passkey = new SoftwarePasskey(origin);
    await nodes[1].passkeys.finishRegistration(inSession(), await created(passkey), undefined);
    return passkey;
  };
  const begun = async (passkey: SoftwarePasskey, more: { counter?: number } = {}) => {
    const { attempt, publicKey } = await nodes[0].passkeyLogin.begin(undefined, address, rp);
    const answer = passkey.get(publicKey as Parameters<typeof passkey.get>[0], more);
    return { attempt, answer: answer as unknown as AuthenticationResponseJSON, address };
  };
  const finish = async (attempt: Parameters<AccountServices['passkeyLogin']['authenticate']>[0], node = nodes[1]) => {
    const outcome = await node.passkeyLogin.authenticate(attempt);
    return 'user' in outcome ? outcome.user.id : outcome.refused;
  };

  beforeEach(async () => {
    temporary = await make();
    store = await temporary.open();
    clock = new HandClock();
    log = keptLog();
    nodes = [await server(), await server()];
    ann = await nodes[0].users.create({ username: 'ann', password: 'correct horse', role: 'ROLE_USER' });
  });
  afterEach(async () => {
    await store.close();
    await temporary.remove();
  });

  it('are begun on one server and finished on another, once', async () => {
    const passkey = await registered();
    const attempt = await begun(passkey);
    const outcomes = await Promise.all(nodes.map((node) => codeOf(node.passkeyLogin.authenticate(attempt))));
    expect(outcomes.sort()).to.deep.equal(['PASSKEY_CHALLENGE_INVALID', 'none']);
    expect((await nodes[0].byId(ann.id))?.lastLogin).to.equal(clock.now().toISOString());
  });

  it('are registered and used within five minutes', async () => {
    const passkey = await registered();
    const late = new SoftwarePasskey(origin);
    const [registration, login] = [await created(late), await begun(passkey)];
    clock.forward(299);
    const intime = await begun(passkey);
    clock.forward(1);
    expect(await codeOf(nodes[1].passkeys.finishRegistration(inSession(), registration, undefined))).to.equal(
      'PASSKEY_CHALLENGE_INVALID',
    );
    expect(await codeOf(nodes[1].passkeyLogin.authenticate(login))).to.equal('PASSKEY_CHALLENGE_INVALID');
    expect(await finish(intime)).to.equal(ann.id);
  });

  it('leave no challenge behind, and no more than a thousand open logins of one network', async function () {
    this.timeout(60_000);
    const challenges = store.records('passkey_challenges', { keys: ['expiresAtMs', 'network', 'userId'] });
    const { passkeyLogin } = nodes[0];
    for (let i = 0; i < MAX_OPEN_LOGINS; i += 50)
      await Promise.all(Array.from({ length: 50 }, () => passkeyLogin.begin(undefined, '2001:db8::1', rp)));
    expect(await codeOf(nodes[1].passkeyLogin.begin('ann', '2001:db8:0:0:ffff::2', rp))).to.equal('TOO_MANY_ATTEMPTS');
    expect(await codeOf(passkeyLogin.begin('ann', '2001:db8:0:1::1', rp)), 'another network').to.equal('none');
    clock.forward(300);
    expect(await codeOf(passkeyLogin.begin('ann', '2001:db8::1', rp))).to.equal('none');
    expect(await challenges.count()).to.equal(1);
  });

  it('keep no challenge and no attempt that a stolen database could be used with', async () => {
    const passkey = await registered();
    const { attempt } = await begun(passkey);
    const stored = JSON.stringify([
      await store.records('passkey_challenges', { keys: ['expiresAtMs', 'network', 'userId'] }).find(),
      await store.records('passkeys', { keys: ['userId'], unique: ['digest'] }).find(),
    ]);
    expect(stored).not.to.contain(attempt).and.not.contain(address);
    expect(stored).not.to.contain(passkey.privateKey.export({ format: 'jwk' }).d ?? '?');
  });

  it('of the same use count once, also on two servers at the same moment', async () => {
    const passkey = await registered();
    const attempts = [await begun(passkey, { counter: 5 }), await begun(passkey, { counter: 5 })] as const;
    const outcomes = await Promise.all([finish(attempts[0], nodes[0]), finish(attempts[1], nodes[1])]);
    expect(outcomes.sort()).to.deep.equal([ann.id, 'passkeyCopied']);
    expect(log.lines.filter((line) => line.includes('counter'))).to.have.length(1);
    expect(await finish(await begun(passkey, { counter: 6 }))).to.equal(ann.id);
  });

  it('are locked with their account for the network that guessed, and not for others', async () => {
    const passkey = await registered();
    for (let i = 0; i < 5; i++) await nodes[0].authenticate({ username: 'ann', password: 'wrong words', address });
    expect(await finish(await begun(passkey))).to.equal('locked');
    expect(await finish({ ...(await begun(passkey)), address: '198.51.100.1' })).to.equal(ann.id);
    await nodes[0].administration.unlock('ann');
    expect(await finish(await begun(passkey))).to.equal(ann.id);
  });

  it('are removed with their user, and a registration that is still open comes to nothing', async () => {
    const passkey = await registered();
    const open = await created(new SoftwarePasskey(origin));
    const attempt = await begun(passkey);
    const [admin] = (await nodes[0].users.everybody()).filter(({ role }) => role === 'ROLE_ADMIN');
    await nodes[0].administration.delete(admin?.id ?? '', 'ann');
    expect(await codeOf(nodes[1].passkeyLogin.authenticate(attempt))).to.equal('PASSKEY_UNKNOWN');
    expect(await codeOf(nodes[1].passkeys.finishRegistration(inSession(), open, undefined))).to.equal(
      'PASSKEY_CHALLENGE_INVALID',
    );
    expect(await nodes[1].passkeys.list(ann.id)).to.deep.equal([]);
    expect(await store.records('passkeys', { keys: ['userId'], unique: ['digest'] }).count()).to.equal(0);
  });

  it('are only for accounts with a password here', async () => {
    const elsewhere = await nodes[0].users.create({
      username: 'eve',
      password: null,
      role: 'ROLE_USER',
      authenticationType: 'oauth2',
    });
    expect(await codeOf(nodes[0].passkeys.beginRegistration({ userId: elsewhere.id, sessionId: 's' }, rp))).to.equal(
      'PASSKEY_WEB_ONLY',
    );
  });

  it('are of no use when the domain of the server has changed', async () => {
    const passkey = await registered();
    const moved = { id: 'other.example.org', origins: [origin] };
    const { attempt, publicKey } = await nodes[0].passkeyLogin.begin(undefined, address, moved);
    const answer = passkey.get(publicKey as Parameters<typeof passkey.get>[0]);
    const outcome = await finish({ attempt, answer: answer as unknown as AuthenticationResponseJSON, address });
    expect(outcome).to.equal('passkeyWrong');
  });
});
