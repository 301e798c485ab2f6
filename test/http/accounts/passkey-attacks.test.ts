import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { addUser, bossName, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { passkeyCalls, sessionFrom } from '../support/passkeys.js';
import {
  cbor,
  coseKey,
  flags,
  SoftwarePasskey,
  type CreatedDifferently,
  type Differently,
} from '../support/software-authenticator.js';
import { until, type TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

const site = 'https://pdf.example.org';
const system = { frontendUrl: site };

/** Lies of a browser or device, and how they are refused at a login and a registration. */
const lies: readonly (readonly [what: string, lie: Differently, status: number, code: string])[] = [
  ['another site', { origin: 'https://evil.example.net' }, 400, 'PASSKEY_SITE_INVALID'],
  ['a subdomain', { origin: 'https://evil.pdf.example.org' }, 400, 'PASSKEY_SITE_INVALID'],
  ['a site that begins alike', { origin: `${site}.evil.net` }, 400, 'PASSKEY_SITE_INVALID'],
  ['http instead of https', { origin: 'http://pdf.example.org' }, 400, 'PASSKEY_SITE_INVALID'],
  ['another port', { origin: `${site}:8443` }, 400, 'PASSKEY_SITE_INVALID'],
  ['an opaque origin', { origin: 'null' }, 400, 'PASSKEY_SITE_INVALID'],
  ['a frame of another site', { crossOrigin: true }, 400, 'PASSKEY_SITE_INVALID'],
  ['a page around the frame', { crossOrigin: true, topOrigin: site }, 400, 'PASSKEY_SITE_INVALID'],
  ['the RP id of another site', { rpId: 'evil.example.net' }, 400, 'PASSKEY_SITE_INVALID'],
  ['the RP id above this site', { rpId: 'example.org' }, 400, 'PASSKEY_SITE_INVALID'],
  ['a made-up challenge', { challenge: randomBytes(32).toString('base64url') }, 400, 'PASSKEY_CHALLENGE_INVALID'],
  ['an empty challenge', { challenge: '' }, 400, 'PASSKEY_CHALLENGE_INVALID'],
  ['another kind of answer', { type: 'payment.get' }, 400, 'PASSKEY_INVALID'],
  ['no JSON', { clientDataJSON: '{"type":' }, 400, 'PASSKEY_INVALID'],
  ['a JSON list', { clientDataJSON: '[1]' }, 400, 'PASSKEY_INVALID'],
  ['JSON null', { clientDataJSON: 'null' }, 400, 'PASSKEY_INVALID'],
];

describe('Attacks on passkeys', () => {
  let server: TestServer;
  let boss: Headers;
  let count = 0;
  const { call, register, login, list, creation, beginLogin, finishLogin, finishRegistration } = passkeyCalls(
    () => server,
  );
  const someone = async (): Promise<{ username: string; password: string; session: Headers }> => {
    const { username, password } = await addUser(server, boss, `target${++count}`);
    return { username, password, session: await sessionOf(server, username, password) };
  };
  const holder = async (): Promise<{
    username: string;
    password: string;
    session: Headers;
    passkey: SoftwarePasskey;
  }> => {
    const user = await someone();
    const passkey = new SoftwarePasskey(site);
    expect((await register(user.session, passkey)).status).to.equal(201);
    return { ...user, passkey };
  };

  before(async () => {
    server = await startWithLogin(
      { throttle: { wrongPasswords: 1000, wrongPasswordsPerAddress: 10_000 }, loginAttemptCount: -1 },
      { system, premium: { enterpriseFeatures: { audit: { enabled: true, level: 2 } } } },
    );
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  it('with answers for another site, challenge or purpose log nobody in', async () => {
    const { passkey } = await holder();
    for (const [what, lie, status, code] of lies) {
      const { detail } = expectProblem(await login(passkey, lie), status, code);
      expect(detail, what).not.to.match(/undefined|\{\w+\}/);
    }
    const told = expectProblem(
      await login(passkey, { origin: 'https://evil.example.net' }),
      400,
      'PASSKEY_SITE_INVALID',
    );
    expect(told.detail).to.contain('https://evil.example.net').and.contain(site);
    for (const bits of [0, flags.PRESENT, flags.VERIFIED])
      expectProblem(await login(passkey, { flags: bits }), 400, 'PASSKEY_INVALID');
    expect((await login(passkey)).status, 'the passkey itself is fine').to.equal(200);
  });

  it('with answers for another site, challenge or purpose register nothing', async () => {
    const { session } = await someone();
    for (const [what, lie, status, code] of lies) {
      const { detail } = expectProblem(await register(session, new SoftwarePasskey(site), lie), status, code);
      expect(detail, what).not.to.match(/undefined|\{\w+\}/);
    }
    for (const bits of [0, flags.PRESENT, flags.VERIFIED])
      expectProblem(
        await register(session, new SoftwarePasskey(site), { flags: bits | flags.ATTESTED }),
        400,
        'PASSKEY_INVALID',
      );
    expect(await list(session)).to.deep.equal([]);
  });

  it('with signatures of other keys, changed data and garbage log nobody in', async () => {
    const { passkey, username } = await holder();
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const signed of [
      { signedBy: stranger },
      { signature: Buffer.alloc(70) },
      { signature: Buffer.from('3006020100020100', 'hex') },
      { signature: Buffer.from([0]) },
      { flags: flags.PRESENT | flags.VERIFIED | flags.ATTESTED },
      { flags: flags.PRESENT | flags.VERIFIED | 0x80 },
    ] as const)
      expectProblem(await login(passkey, signed), 401, 'PASSKEY_FAILED');
    const { attempt, publicKey } = await beginLogin();
    const answer = passkey.get(publicKey) as { response: { authenticatorData: string } };
    const data = Buffer.from(answer.response.authenticatorData, 'base64url');
    data.writeUInt32BE(7, 33);
    const changed = { ...answer, response: { ...answer.response, authenticatorData: data.toString('base64url') } };
    expectProblem(await finishLogin(attempt, changed), 401, 'PASSKEY_FAILED');
    const short = { ...answer, response: { ...answer.response, authenticatorData: 'AAAA' } };
    expectProblem(await finishLogin((await beginLogin()).attempt, short), 400, 'PASSKEY_CHALLENGE_INVALID');
    expect((await login(passkey, { counter: 1 }, username)).status).to.equal(200);
  });

  it('with an answer that was used, an attempt of somebody else, or none, log nobody in', async () => {
    const { passkey } = await holder();
    const { attempt, publicKey } = await beginLogin();
    const answer = passkey.get(publicKey);
    expect((await finishLogin(attempt, answer)).status).to.equal(200);
    const replayed = expectProblem(await finishLogin(attempt, answer), 400, 'PASSKEY_CHALLENGE_INVALID');
    expect(replayed.detail).to.contain('5 minutes').and.contain('Begin again');
    const other = await beginLogin();
    expectProblem(await finishLogin(other.attempt, answer), 400, 'PASSKEY_CHALLENGE_INVALID');
    expectProblem(await finishLogin(other.attempt, passkey.get(other.publicKey)), 400, 'PASSKEY_CHALLENGE_INVALID');
    for (const unknown of ['x', 'registration x', other.attempt.toLowerCase()])
      expectProblem(await finishLogin(unknown, answer), 400, 'PASSKEY_CHALLENGE_INVALID');
  });

  it('with one answer sent several times at once log in once', async () => {
    const { passkey } = await holder();
    const { attempt, publicKey } = await beginLogin();
    const answer = passkey.get(publicKey);
    const answers = await Promise.all(Array.from({ length: 8 }, () => finishLogin(attempt, answer)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array.from({ length: 7 }, () => 400)]);
  });

  it('with a registration of another session, or a second use of it, register nothing', async () => {
    const [ann, bob] = [await someone(), await someone()];
    const options = await creation(ann.session);
    const credential = new SoftwarePasskey(site).create(options);
    expectProblem(await finishRegistration(bob.session, credential), 400, 'PASSKEY_CHALLENGE_INVALID');
    const again = await sessionOf(server, ann.username, ann.password);
    expectProblem(await finishRegistration(again, credential), 400, 'PASSKEY_CHALLENGE_INVALID');
    const newer = await creation(ann.session);
    expectProblem(await finishRegistration(ann.session, credential), 400, 'PASSKEY_CHALLENGE_INVALID');
    const { attempt, publicKey } = await beginLogin();
    expectProblem(
      await finishLogin(attempt, new SoftwarePasskey(site).get({ ...publicKey, challenge: newer.challenge })),
      400,
      'PASSKEY_CHALLENGE_INVALID',
    );
    const last = new SoftwarePasskey(site).create(await creation(ann.session));
    const both = await Promise.all([finishRegistration(ann.session, last), finishRegistration(ann.session, last)]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([201, 400]);
    expect(await list(ann.session)).to.have.length(1);
  });

  it("with another user's passkey, name or handle log nobody in", async () => {
    const [ann, bob] = [await holder(), await holder()];
    const { userHandle } = ann.passkey;
    for (const lie of [
      { id: ann.passkey.id },
      { id: ann.passkey.id, userHandle },
      { userHandle },
      { userHandle: undefined },
      { userHandle: Buffer.from(ann.username).toString('base64url') },
    ])
      expectProblem(await login(bob.passkey, lie), 401, 'PASSKEY_FAILED');
    expectProblem(await login(bob.passkey, {}, ann.username), 401, 'PASSKEY_FAILED');
    expectProblem(await login(new SoftwarePasskey(site)), 401, 'PASSKEY_UNKNOWN');
    const taken = new SoftwarePasskey(site);
    expectProblem(await register(bob.session, taken, { id: ann.passkey.id }), 400, 'PASSKEY_INVALID');
    const twice = ann.passkey.create(await creation(bob.session));
    expectProblem(await finishRegistration(bob.session, twice), 409, 'PASSKEY_EXISTS');
    expect((await login(ann.passkey, { userHandle })).status, 'still the passkey of its owner').to.equal(200);
  });

  it('with a copy of a passkey, whose counter goes back, are refused, announced and recorded', async () => {
    const { passkey, username, session } = await holder();
    expect((await login(passkey, { counter: 7 })).status).to.equal(200);
    for (const counter of [7, 6, 1, 0]) {
      const { detail } = expectProblem(await login(passkey, { counter }), 401, 'PASSKEY_COPIED');
      expect(detail).to.contain('copy').and.contain('remove the passkey');
    }
    expect((await list(session))[0]).to.include({ suspect: true });
    expectProblem(await login(passkey, { counter: 1, signature: Buffer.from('x') }), 401, 'PASSKEY_FAILED');
    const together = await Promise.all([login(passkey, { counter: 8 }), login(passkey, { counter: 8 })]);
    expect(together.map(({ status }) => status).sort()).to.deep.equal([200, 401]);
    const events = async (type: string): Promise<{ principal: string; data: Record<string, unknown> }[]> =>
      json<{ content: { principal: string; data: Record<string, unknown> }[] }>(
        await call('GET', `audit/data?principal=${username}&type=${type}&size=50`, boss),
      ).content;
    await until('the refusals are in the audit log', async () => (await events('USER_FAILED_LOGIN')).length >= 6);
    const failed = await events('USER_FAILED_LOGIN');
    expect(failed.filter(({ data }) => data['code'] === 'PASSKEY_COPIED')).to.have.length(5);
    expect(failed[0]?.data).to.include({ path: '/api/v1/auth/passkeys/login/finish', subject: username });
    expect((await events('USER_LOGIN')).filter(({ data }) => data['code'] !== undefined)).to.deep.equal([]);
    expect((await events('USER_LOGIN')).length).to.be.at.least(3);
  });

  it('with keys that verify nothing, or everything, register nothing', async () => {
    const { session } = await someone();
    const zeros = Buffer.alloc(32);
    const jwk = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
    for (const [what, publicKey] of [
      ['a point that is not on the curve', coseKey([1, 2], [3, -7], [-1, 1], [-2, zeros], [-3, zeros])],
      [
        'another curve',
        coseKey(
          [1, 2],
          [3, -7],
          [-1, 2],
          [-2, Buffer.from(jwk.x ?? '', 'base64url')],
          [-3, Buffer.from(jwk.y ?? '', 'base64url')],
        ),
      ],
      ['a mixture of kinds', coseKey([1, 2], [3, -8], [-1, 6], [-2, zeros])],
      [
        'an algorithm that was not offered',
        coseKey([1, 3], [3, -65535], [-1, Buffer.alloc(256, 255)], [-2, Buffer.from([3])]),
      ],
      [
        'an RSA key of 1024 bits',
        coseKey([1, 3], [3, -257], [-1, Buffer.alloc(128, 255)], [-2, Buffer.from([1, 0, 1])]),
      ],
      [
        'an RSA key of 8192 bits',
        coseKey([1, 3], [3, -257], [-1, Buffer.alloc(1024, 255)], [-2, Buffer.from([1, 0, 1])]),
      ],
      ['an empty key', coseKey()],
      ['a text', 'key'],
    ] as const)
      expect((await register(session, new SoftwarePasskey(site), { publicKey })).status, what).to.equal(400);
    for (const more of [
      { tail: Buffer.from('more') },
      { id: '' },
      { flags: flags.PRESENT | flags.VERIFIED },
      { flags: flags.PRESENT | flags.VERIFIED | flags.ATTESTED | flags.BACKED_UP },
    ] as CreatedDifferently[])
      expectProblem(await register(session, new SoftwarePasskey(site), more), 400, 'PASSKEY_INVALID');
    expect(await list(session)).to.deep.equal([]);
  });

  it('with damaged and deep CBOR register nothing and end no process', async () => {
    const { session } = await someone();
    const good = new SoftwarePasskey(site).create(await creation(session)) as {
      response: { attestationObject: string };
    };
    const whole = Buffer.from(good.response.attestationObject, 'base64url');
    const flipped = Array.from({ length: 40 }, (_, i) => {
      const copy = Buffer.from(whole);
      const at = Math.floor((i * whole.length) / 40);
      copy[at] = (copy[at] ?? 0) ^ 0x55;
      return copy;
    });
    for (const bytes of [
      Buffer.from([0]),
      Buffer.alloc(20_000, 0x81),
      Buffer.alloc(20_000, 0xa1),
      Buffer.from('bb7fffffffffffffff', 'hex'),
      Buffer.from('5b7fffffffffffffff', 'hex'),
      cbor(new Map([['fmt', 'none']])),
      cbor(
        new Map<string, string>([
          ['fmt', 'none'],
          ['authData', 'x'.repeat(60)],
        ]),
      ),
      ...Array.from({ length: 20 }, (_, i) => whole.subarray(0, Math.floor((i * whole.length) / 20))).filter(
        ({ length }) => length > 0,
      ),
    ]) {
      const fresh = new SoftwarePasskey(site).create(await creation(session)) as { response: object };
      const response = { ...fresh.response, attestationObject: bytes.toString('base64url') };
      expectProblem(await finishRegistration(session, { ...fresh, response }), 400, 'PASSKEY_INVALID');
    }
    for (const bytes of flipped) {
      const fresh = new SoftwarePasskey(site).create(await creation(session)) as { response: object };
      const response = { ...fresh.response, attestationObject: bytes.toString('base64url') };
      const { status } = await finishRegistration(session, { ...fresh, response });
      expect(status, 'what is flipped may be text that nobody reads').to.be.oneOf([201, 400]);
    }
  });

  it('with statements of certificates, which are not read, register a passkey like any other', async () => {
    const { session } = await someone();
    for (const format of ['packed', 'fido-u2f', 'tpm', 'android-key', 'apple', 'android-safetynet', 'compound']) {
      const statement = new Map<string, number | Buffer | readonly Buffer[]>([
        ['alg', -7],
        ['sig', randomBytes(70)],
        ['x5c', [randomBytes(500), randomBytes(500)]],
      ]);
      const passkey = new SoftwarePasskey(site);
      const answer = await register(session, passkey, { attestation: [format, statement] });
      expect(answer.status, `${format}: ${answer.body.toString()}`).to.equal(201);
      expect((await login(passkey)).status, format).to.equal(200);
    }
  });
});

describe('Guessing with passkeys', () => {
  it('is slowed down and locked as guessing passwords is, for the address that guesses', async () => {
    const server = await startWithLogin(
      { loginAttemptCount: 3, throttle: { wrongPasswords: 6 } },
      {
        system,
        server: { trustedProxies: ['127.0.0.1'] },
      },
    );
    const { register, beginLogin } = passkeyCalls(() => server);
    try {
      const boss = await sessionOf(server);
      const passkey = new SoftwarePasskey(site);
      expect((await register(boss, passkey)).status).to.equal(201);
      const from = async (address: string, lie: Differently = {}): Promise<Answer> => {
        const { attempt, publicKey } = await beginLogin();
        return sendJson(
          server,
          '/api/v1/auth/passkeys/login/finish',
          { attempt, credential: passkey.get(publicKey, lie) },
          { 'x-forwarded-for': address },
        );
      };
      const wrong = { signature: Buffer.alloc(70) };
      for (let i = 0; i < 3; i++) expectProblem(await from('192.0.2.7', wrong), 401, 'PASSKEY_FAILED');
      expectProblem(await from('192.0.2.7'), 401, 'LOGIN_LOCKED');
      expectProblem(
        await sendJson(
          server,
          '/api/v1/auth/login',
          { username: bossName, password: 'the-password-of-the-boss' },
          { 'x-forwarded-for': '192.0.2.7' },
        ),
        401,
        'LOGIN_LOCKED',
      );
      for (let i = 0; i < 2; i++) expectProblem(await from('192.0.2.7'), 401, 'LOGIN_LOCKED');
      const slowed = await from('192.0.2.7');
      expect(expectProblem(slowed, 429, 'TOO_MANY_ATTEMPTS').detail).to.contain('passkeys');
      expect(Number(slowed.headers['retry-after'])).to.be.within(1, 60);
      expect((await from('198.51.100.9')).status, 'the owner elsewhere').to.equal(200);
      const unlocked = await send(`${server.url}/api/v1/user/admin/unlockUser/${bossName}`, {
        method: 'POST',
        headers: { ...sessionFrom(await from('198.51.100.9')), 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(unlocked.status, unlocked.body.toString()).to.equal(200);
    } finally {
      await server.stop();
    }
  });
});
