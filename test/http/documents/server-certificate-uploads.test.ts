import { expect } from 'chai';
import { createPrivateKey, verify, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openKeystore } from '@quire/document/signatures/certificates';
import { openssl } from '../../pki/index.js';
import { expectProblem, field, file, json, pointers, post, send, type Answer } from '../support/client.js';
import { sessionOf } from '../support/login.js';
import { makeBase, startProcess } from '../support/process.js';
import {
  ADDRESS,
  expectText,
  FIXED_PASSWORD,
  secret,
  security,
  useServerCertificate,
} from '../support/server-certificate.js';
import { quiet } from '../support/server.js';

const off = ['general', 'misc', 'filter', 'security', 'convert', 'integration', 'docparse', 'ai-tools', 'signing'];

describe('The server certificate after an upload (skipped where openssl is not on PATH)', function uploads() {
  this.timeout(60_000);
  const setup = useServerCertificate();

  it('is replaced by an uploaded one with its chain, which signs after a restart', async () => {
    const before = await setup.current();
    expectText(
      await setup.upload(await setup.pki.pkcs12(setup.ann, secret, { legacy: true }), secret, 'OFFICE.PFX'),
      'takes effect for signing after a restart',
    );
    expect(json(await setup.get('/info'))).to.include({
      exists: true,
      subject: 'CN=Office Seal,O=Test,C=DE',
      issuer: 'CN=Office Inner,O=Test',
    });
    expect((await setup.current()).equals(setup.ann.certificate)).to.equal(true);
    expect((await setup.signer()).equals(before)).to.equal(true);
    expect([
      statSync(setup.keystoreFile()).mode & 0o777,
      readdirSync(join(setup.base, 'data', 'configs')).filter((name) => name.startsWith('server-certificate')),
    ]).to.deep.equal([0o600, ['server-certificate.p12']]);
    const printed = await openssl(setup.base, [
      'pkcs12',
      '-in',
      setup.keystoreFile(),
      '-passin',
      `pass:${FIXED_PASSWORD}`,
      '-nodes',
    ]);
    expect([printed.match(/BEGIN CERTIFICATE/g)?.length, printed.includes('friendlyName: server')]).to.deep.equal([
      3,
      true,
    ]);
    await setup.restart();
    const { certificate, chain } = json<{ certificate: string; chain: string[] }>(await setup.signed());
    expect([
      Buffer.from(certificate, 'base64').equals(setup.ann.certificate),
      chain.map((der) => new X509Certificate(Buffer.from(der, 'base64')).subject),
    ]).to.deep.equal([true, ['O=Test\nCN=Office Inner', 'O=Test\nCN=Office Root']]);
  });

  it('may have another type of key', async () => {
    const issued = await setup.pki.issue({ name: 'Curve Seal', key: 'p384' });
    expectText(await setup.upload(await setup.pki.pkcs12(issued, secret)));
    await setup.restart();
    const { signature } = json<{ signature: string }>(
      await setup.signed([field('family', 'ecdsa'), field('digest', 'sha384')]),
    );
    expect(
      verify(
        'sha384',
        Buffer.from('attributes'),
        new X509Certificate(issued.certificate).publicKey,
        Buffer.from(signature, 'base64'),
      ),
    ).to.equal(true);
  });

  it('stays unchanged when an upload cannot be used, and the answer explains why', async () => {
    const before = readFileSync(setup.keystoreFile());
    const good = await setup.pki.pkcs12(setup.ann, secret);
    const old = await setup.pki.issue({
      name: 'Old',
      from: new Date('2020-01-01T00:00:00Z'),
      to: new Date('2021-01-01T00:00:00Z'),
    });
    const refused: readonly (readonly [string, Promise<Answer>, string, readonly string[]])[] = [
      ['wrong password', setup.upload(good, 'not-the-password'), 'KEYSTORE_PASSWORD', ['/password']],
      ['empty password', setup.upload(good, ''), 'KEYSTORE_PASSWORD', ['/password']],
      [
        'no password',
        post(`${setup.server.url}${ADDRESS}/upload`, [file(good, 'a.p12', 'file')], setup.boss),
        'INPUT_INVALID',
        ['/password'],
      ],
      [
        'no file',
        post(`${setup.server.url}${ADDRESS}/upload`, [field('password', secret)], setup.boss),
        'INPUT_FILE_MISSING',
        ['/file'],
      ],
      [
        'text in place of a file',
        post(`${setup.server.url}${ADDRESS}/upload`, [field('password', secret), field('file', 'text')], setup.boss),
        'INPUT_FILE_MISSING',
        ['/file'],
      ],
      [
        'the wrong part',
        post(`${setup.server.url}${ADDRESS}/upload`, [file(good, 'a.p12'), field('password', secret)], setup.boss),
        'INPUT_FILE_MISSING',
        ['/file'],
      ],
      [
        'two files',
        post(
          `${setup.server.url}${ADDRESS}/upload`,
          [file(good, 'a.p12', 'file'), file(good, 'b.p12', 'file'), field('password', secret)],
          setup.boss,
        ),
        'INPUT_INVALID',
        ['/file'],
      ],
      ['an empty file', setup.upload(new Uint8Array()), 'INPUT_FILE_EMPTY', []],
      ['another extension', setup.upload(good, secret, 'keystore.txt'), 'INPUT_INVALID', ['/file']],
      ['no extension', setup.upload(good, secret, 'keystore'), 'INPUT_INVALID', ['/file']],
      ['a PDF under the name of a keystore', setup.upload(Buffer.from('%PDF-1.7\n')), 'INPUT_INVALID', ['/file']],
      [
        'PEM under the name of a keystore',
        setup.upload(readFileSync(setup.ann.keyFile)),
        'KEYSTORE_UNREADABLE',
        ['/file'],
      ],
      ['half a keystore', setup.upload(good.subarray(0, 700)), 'KEYSTORE_UNREADABLE', ['/file']],
      ['noise', setup.upload(Buffer.alloc(3000, 7)), 'KEYSTORE_UNREADABLE', ['/file']],
      [
        'no private key',
        setup.upload(await setup.pki.pkcs12(setup.ann, secret, { withKey: false })),
        'KEYSTORE_NO_KEY',
        ['/file'],
      ],
      ['an expired certificate', setup.upload(await setup.pki.pkcs12(old, secret)), 'CERTIFICATE_NOT_VALID', ['/file']],
    ];
    for (const [title, outcome, code, where] of refused) {
      const answer = await outcome;
      const problem = expectProblem(answer, 400, code);
      if (where.length > 0) expect(pointers(problem), title).to.deep.equal(where);
      for (const word of [secret, 'not-the-password']) expect(answer.body.toString(), title).not.to.include(word);
    }
    expectProblem(await setup.upload(Buffer.alloc(5_000_000, 0x30)), 413, 'INPUT_TOO_LARGE');
    expectProblem(
      await send(`${setup.server.url}${ADDRESS}/upload`, {
        method: 'POST',
        headers: { ...setup.boss, 'content-type': 'application/json' },
        body: '{}',
      }),
      415,
      'INPUT_MEDIA_TYPE',
    );
    expect(readFileSync(setup.keystoreFile()).equals(before)).to.equal(true);
    await quiet(setup.server);
  });

  it('is accepted with a note when it is weak or not yet valid', async () => {
    const weak = await setup.pki.issue({
      name: 'Weak',
      key: 'rsa1024',
      digest: 'sha1',
      from: new Date(Date.now() + 86_400_000),
      to: new Date(Date.now() + 2 * 86_400_000),
    });
    expectText(
      await setup.upload(await setup.pki.pkcs12(weak, secret)),
      'RSA of 1024 bits',
      'SHA1with',
      'valid from',
      'after a restart',
    );
  });

  it('is complete whichever of several concurrent uploads finishes last', async () => {
    const keystores: Buffer[] = [];
    for (const name of ['One', 'Two', 'Three'])
      keystores.push(await setup.pki.pkcs12(await setup.pki.issue({ name }), secret));
    const answers = await Promise.all([
      ...keystores.map((keystore) => setup.upload(keystore)),
      setup.generate(),
      ...keystores.map((keystore) => setup.upload(keystore)),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    const { privateKey, certificate } = await openKeystore(readFileSync(setup.keystoreFile()), FIXED_PASSWORD);
    expect(new X509Certificate(certificate).checkPrivateKey(privateKey)).to.equal(true);
    expect((await setup.current()).equals(Buffer.from(certificate))).to.equal(true);
    expect(readdirSync(join(setup.base, 'data', 'configs')).filter((name) => name.endsWith('.new'))).to.deep.equal([]);
  });

  it('stays complete when the server is killed in the middle of changes', async () => {
    const folder = makeBase({
      plugins: off.map((name) => ({ use: `@quire/plugin-${name}`, enabled: false })),
      security,
    });
    try {
      const child = await startProcess(folder);
      const headers = await sessionOf(child);
      await send(`${child.url}${ADDRESS}/info`, { headers });
      const keystore = await setup.pki.pkcs12(setup.ann, secret);
      const calls = Array.from({ length: 40 }, () =>
        post(
          `${child.url}${ADDRESS}/upload`,
          [file(keystore, 'a.p12', 'file'), field('password', secret)],
          headers,
        ).catch(() => undefined),
      );
      expect((await Promise.race(calls))?.status).to.equal(200);
      child.child.kill('SIGKILL');
      await Promise.all([child.exit, ...calls]);
      const { privateKey } = await openKeystore(
        readFileSync(join(folder, 'configs', 'server-certificate.p12')),
        FIXED_PASSWORD,
      );
      expect(privateKey.equals(createPrivateKey(readFileSync(setup.ann.keyFile)))).to.equal(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
