import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { codeOf } from '../../test/suites/code-of.js';
import { HandClock, keptLog } from '../../test/suites/memory-accounts.js';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { ServerSecret } from '../secrets/index.js';
import { openAccounts, type AccountServices } from './accounts.js';
import type { User } from './model.js';
import { totpStep } from './totp.js';

const password = 'correct horse';

describe('Codes of authenticator apps', () => {
  // RFC 6238, appendix B; the last six of the eight digits.
  const secret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32;

  it('match RFC 6238', async () => {
    for (const [seconds, code] of [
      [59, '287082'],
      [1111111109, '081804'],
      [1234567890, '005924'],
      [20000000000, '353130'],
    ] as const) {
      expect(await totpStep(secret, code, seconds * 1000)).to.equal(Math.floor(seconds / 30));
    }
  });

  it('are valid for one step before and after, and no other text is accepted', async () => {
    const at = 1111111109_000;
    for (const [off, step] of [
      [-60, undefined],
      [-30, 37037037],
      [0, 37037036],
      [30, 37037035],
      [60, undefined],
    ] as const) {
      const found = await totpStep(
        secret,
        new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at - off * 1000 }),
        at,
      );
      expect(found === undefined ? undefined : found - Math.floor(at / 30_000), String(off)).to.equal(
        step === undefined ? undefined : step - 37037036,
      );
    }
    for (const text of ['', '081 80', '0818040', '08180a', '０８１８０４', '-81804', ' ', '081804; drop'])
      expect(await totpStep(secret, text, at), text).to.equal(undefined);
    expect(await totpStep(secret, '081 804', at)).to.equal(37037036);
  });
});

describeStores('The second factor', (make) => {
  let temporary: TemporaryStore;
  let store: Store;
  let clock: HandClock;
  let accounts: AccountServices;
  let ann: User;
  const code = (secret: string): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() });
  const login = async (mfaCode?: string): Promise<string> => {
    const outcome = await accounts.authenticate({ username: 'ann', password, mfaCode, address: '192.0.2.1' });
    return 'user' in outcome ? 'in' : outcome.refused;
  };
  const enrol = async (): Promise<string> => {
    const { secret } = await accounts.secondFactor.setup(ann.id);
    await accounts.secondFactor.enable(ann.id, code(secret));
    clock.forward(60);
    return secret;
  };

  beforeEach(async () => {
    temporary = await make();
    store = await temporary.open();
    clock = new HandClock();
    accounts = await openAccounts({
      store,
      secret: new ServerSecret(randomBytes(32)),
      clock,
      log: keptLog(),
      issuer: 'Quire & Sons',
      announce: () => undefined,
      passwordCost: { n: 1024, r: 8, p: 1 },
      cap: { tier: 'enterprise', maxUsers: 0 },
      lock: { attempts: 5, minutes: 120 },
      firstStart: { username: '', password: '', globalKey: false },
    });
    ann = await accounts.users.create({ username: 'ann', password, role: 'ROLE_USER', mfaRequired: true });
  });
  afterEach(async () => {
    await store.close();
    await temporary.remove();
  });

  it('is required only after it was confirmed with a code', async () => {
    const { secret, otpauthUri } = await accounts.secondFactor.setup(ann.id);
    expect(secret).to.match(/^[A-Z2-7]{32}$/);
    expect(otpauthUri)
      .to.match(/^otpauth:\/\/totp\/Quire%20%26%20Sons:ann\?/)
      .and.to.contain(`secret=${secret}`);
    expect(await login()).to.equal('in');
    expect(await codeOf(accounts.secondFactor.enable(ann.id, '000000'))).to.equal('MFA_CODE_INVALID');
    await accounts.secondFactor.enable(ann.id, code(secret));
    expect(await accounts.byId(ann.id)).to.include({ mfaEnabled: true, mfaRequired: true });
    expect(await login()).to.equal('mfaRequired');
  });

  it('accepts each code once, also in two simultaneous logins, and none from before', async () => {
    const secret = await enrol();
    const now = code(secret);
    expect((await Promise.all([login(now), login(now), login(now)])).sort()).to.deep.equal([
      'in',
      'mfaReused',
      'mfaReused',
    ]);
    clock.forward(30);
    expect(await login(now)).to.equal('mfaReused');
    expect(await login(code(secret))).to.equal('in');
  });

  it('does not accept the code again that confirmed it', async () => {
    const { secret } = await accounts.secondFactor.setup(ann.id);
    await accounts.secondFactor.enable(ann.id, code(secret));
    expect(await login(code(secret))).to.equal('mfaReused');
  });

  it('locks the name after five wrong codes with the right password', async () => {
    const secret = await enrol();
    for (let turn = 0; turn < 5; turn++) expect(await login('000000')).to.equal('mfaInvalid');
    expect(await login(code(secret))).to.equal('locked');
  });

  it('is confirmed once by two simultaneous calls', async () => {
    const { secret } = await accounts.secondFactor.setup(ann.id);
    const outcomes = await Promise.all([
      codeOf(accounts.secondFactor.enable(ann.id, code(secret))),
      codeOf(accounts.secondFactor.enable(ann.id, code(secret))),
    ]);
    // Depends on whether the other call read the state before or after it was on.
    expect(outcomes.sort()[0]).to.be.oneOf(['MFA_ALREADY_ON', 'MFA_CODE_INVALID']);
    expect(outcomes[1]).to.equal('none');
  });

  it('does not accept a code for a secret that was replaced', async () => {
    const { secret: old } = await accounts.secondFactor.setup(ann.id);
    const { secret } = await accounts.secondFactor.setup(ann.id);
    expect(await codeOf(accounts.secondFactor.enable(ann.id, code(old)))).to.equal('MFA_CODE_INVALID');
    expect(await codeOf(accounts.secondFactor.enable(ann.id, code(secret)))).to.equal('none');
  });

  it('must be started before it is confirmed, and cannot be started while it is on', async () => {
    expect(await codeOf(accounts.secondFactor.enable(ann.id, '123456'))).to.equal('MFA_NOT_STARTED');
    await accounts.secondFactor.setup(ann.id);
    await accounts.secondFactor.cancel(ann.id);
    expect(await codeOf(accounts.secondFactor.enable(ann.id, '123456'))).to.equal('MFA_NOT_STARTED');
    const secret = await enrol();
    for (const work of [
      accounts.secondFactor.setup(ann.id),
      accounts.secondFactor.enable(ann.id, code(secret)),
      accounts.secondFactor.cancel(ann.id),
    ])
      expect(await codeOf(work)).to.equal('MFA_ALREADY_ON');
  });

  it('is turned off with a code, which cannot be guessed without limit', async () => {
    const secret = await enrol();
    expect(await codeOf(accounts.secondFactor.disable(ann.id, '000000'))).to.equal('MFA_CODE_INVALID');
    await accounts.secondFactor.disable(ann.id, code(secret));
    expect(await login()).to.equal('in');
    expect(await codeOf(accounts.secondFactor.disable(ann.id, 'anything'))).to.equal('none');
    const again = await enrol();
    for (let turn = 0; turn < 5; turn++) await codeOf(accounts.secondFactor.disable(ann.id, '000000'));
    expect(await codeOf(accounts.secondFactor.disable(ann.id, code(again)))).to.equal('ATTEMPTS_USED_UP');
  });

  it('is turned off by an administrator without a code', async () => {
    await enrol();
    await accounts.administration.clearSecondFactor('ann');
    expect(await login()).to.equal('in');
  });

  it('is only available for accounts with a password here', async () => {
    const elsewhere = await accounts.users.create({
      username: 'eve',
      password: null,
      role: 'ROLE_USER',
      authenticationType: 'oauth2',
    });
    expect(await codeOf(accounts.secondFactor.setup(elsewhere.id))).to.equal('MFA_WEB_ONLY');
  });
});
