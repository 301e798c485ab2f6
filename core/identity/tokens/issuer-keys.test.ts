import { OperationalError, isQuireError, type Logger } from '@quire/registry';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { KeySets, type IssuerKeys } from './index.js';

const MINUTE_MS = 60_000;
const log = { warn() {} } as unknown as Logger;
const issuer = {
  issuer: 'https://login.example.org',
  jwksUri: 'https://login.example.org/keys',
  setting: 'the setting of the issuer',
  keysSetting: 'the setting of its keys',
};

describe('The keys of an issuer', () => {
  let now = 0;
  let published: readonly JWK[] = [];
  let isAway = false;
  let asked = 0;
  let jwk: JWK;

  const keys = (): IssuerKeys =>
    new KeySets({
      log,
      now: () => now,
      outbound: {
        call: async () => {
          asked += 1;
          // Others ask meanwhile.
          await new Promise((resolve) => setImmediate(resolve));
          if (isAway) throw new OperationalError('REMOTE_TIMEOUT', { remote: 'login.example.org', seconds: 5 });
          return {
            status: 200,
            headers: {},
            body: Buffer.from(JSON.stringify({ keys: published })),
            url: issuer.issuer,
          };
        },
      },
    }).of(issuer);
  const finds = (of: IssuerKeys, kid: string): Promise<string> =>
    of.find({ alg: 'ES256', kid }, { payload: '', signature: '' }).then(
      () => 'found',
      (error: unknown) => (isQuireError(error) ? error.code : String((error as { code?: unknown }).code)),
    );

  before(async () => {
    jwk = { ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), alg: 'ES256' };
  });
  beforeEach(() => {
    now = 1_000_000;
    isAway = false;
    asked = 0;
    published = [{ ...jwk, kid: 'one' }];
  });

  it('are read once for calls at the same time, and for ten minutes', async () => {
    const of = keys();
    expect(await Promise.all([finds(of, 'one'), finds(of, 'one'), finds(of, 'one')])).to.deep.equal([
      'found',
      'found',
      'found',
    ]);
    now += 9 * MINUTE_MS;
    await finds(of, 'one');
    expect(asked).to.equal(1);
    published = [{ ...jwk, kid: 'two' }];
    now += 2 * MINUTE_MS;
    expect(await finds(of, 'one'), 'a key that was withdrawn').to.equal('ERR_JWKS_NO_MATCHING_KEY');
  });

  it('serve for an hour while the issuer is away, which is asked again after five seconds', async () => {
    const of = keys();
    await finds(of, 'one');
    isAway = true;
    now += 20 * MINUTE_MS;
    expect([await finds(of, 'one'), await finds(of, 'one'), await finds(of, 'one')]).to.deep.equal([
      'found',
      'found',
      'found',
    ]);
    expect(asked, 'not asked by every call').to.equal(2);
    now += 41 * MINUTE_MS;
    expect(await finds(of, 'one')).to.equal('ISSUER_UNREACHABLE');
    isAway = false;
    expect(await finds(of, 'one')).to.equal('ISSUER_UNREACHABLE');
    now += 5001;
    expect(await finds(of, 'one')).to.equal('found');
  });

  it('are read again for an unknown key, three times in thirty seconds', async () => {
    const of = keys();
    await finds(of, 'one');
    for (let i = 0; i < 10; i++) expect(await finds(of, `invented ${i}`)).to.equal('ERR_JWKS_NO_MATCHING_KEY');
    expect(asked).to.equal(4);
    published = [{ ...jwk, kid: 'two' }];
    expect(await finds(of, 'two'), 'has to wait').to.equal('ERR_JWKS_NO_MATCHING_KEY');
    now += 30_000;
    expect(await finds(of, 'two')).to.equal('found');
  });

  it('are not asked for by unknown keys while the issuer is away', async () => {
    const of = keys();
    await finds(of, 'one');
    isAway = true;
    expect(await finds(of, 'invented')).to.equal('ISSUER_UNREACHABLE');
    expect(await finds(of, 'invented')).to.equal('ERR_JWKS_NO_MATCHING_KEY');
    expect(await finds(of, 'one')).to.equal('found');
    expect(asked).to.equal(2);
  });

  it('belong to all features that name the same issuer', () => {
    const sets = new KeySets({
      log,
      now: () => now,
      outbound: { call: () => Promise.reject(new Error('not called')) },
    });
    expect(sets.of({ ...issuer, issuer: `${issuer.issuer}/` })).to.equal(sets.of(issuer));
    expect(sets.of({ ...issuer, jwksUri: '' })).not.to.equal(sets.of(issuer));
  });
});
