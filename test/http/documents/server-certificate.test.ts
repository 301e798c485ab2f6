import { expect } from 'chai';
import { createPrivateKey, verify, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type TestServerOptions } from '@quire/core';
import { openKeystore } from '@quire/document/signatures/certificates';
import { Authority, openssl, type Issued } from '../../pki/index.js';
import { expectProblem, field, file, json, pointers, post, send, type Answer, type Part } from '../support/client.js';
import { addUser, bossName, bossPassword, globalKey, keyOf, sessionOf } from '../support/login.js';
import { makeBase, startProcess } from '../support/process.js';
import { quiet, unrulyPlugin, type TestServer } from '../support/server.js';

const ADDRESS = '/api/v1/admin/server-certificate';
const FIXED_PASSWORD = 'server-certificate';
const secret = 's3cret-of-the-keystore';
const off = ['general', 'misc', 'filter', 'security', 'convert', 'integration', 'docparse', 'ai-tools', 'signing'];
const security = {
  enableLogin: true,
  customGlobalAPIKey: globalKey,
  initialLogin: { username: bossName, password: bossPassword },
};

describe('The server certificate over HTTP (skipped where openssl is not on PATH)', function serverCertificate() {
  this.timeout(60_000);
  let base: string;
  let pki: Authority;
  let root: Authority;
  let ann: Issued;
  let server: TestServer;
  let boss: { readonly authorization: string };

  const start = async (settings: TestServerOptions['settings'] = {}): Promise<void> => {
    server = await createTestServer({
      settings: { security, ...settings },
      plugins: ['@quire/plugin-admin-cert', unrulyPlugin],
      basePath: join(base, 'data'),
    });
    await server.start();
    boss = await sessionOf(server);
  };
  const restart = async (settings: TestServerOptions['settings'] = {}): Promise<void> => {
    await server.stop();
    await start(settings);
  };

  before(async function setUp() {
    base = mkdtempSync(join(tmpdir(), 'quire-server-certificate-'));
    await openssl(base, ['version']).catch(() => this.skip());
    root = await Authority.root(join(base, 'root'), { name: 'Office Root' });
    pki = await root.authority(join(base, 'inner'), { name: 'Office Inner' });
    ann = await pki.issue({ name: 'Office Seal', key: 'rsa2048' });
    await start();
  });
  after(async () => {
    await server?.stop();
    rmSync(base, { recursive: true, force: true });
  });

  const keystoreFile = (): string => join(base, 'data', 'configs', 'server-certificate.p12');
  const get = (path: string, headers: Readonly<Record<string, string>> = boss): Promise<Answer> =>
    send(`${server.url}${ADDRESS}${path}`, { headers });
  const upload = (keystore: Uint8Array, password = secret, name = 'office.p12'): Promise<Answer> =>
    post(`${server.url}${ADDRESS}/upload`, [file(keystore, name, 'file'), field('password', password)], boss);
  const generate = (): Promise<Answer> => send(`${server.url}${ADDRESS}/generate`, { method: 'POST', headers: boss });
  const remove = (): Promise<Answer> => send(`${server.url}${ADDRESS}`, { method: 'DELETE', headers: boss });
  const current = async (): Promise<Buffer> => (await get('/certificate')).body;
  const signed = (scheme: readonly Part[] = []): Promise<Answer> =>
    post(`${server.url}/api/v1/misc/unruly-signature`, [file(Buffer.from('attributes'), 'a.txt'), ...scheme], boss);
  const signer = async (): Promise<Buffer> =>
    Buffer.from(json<{ certificate: string }>(await signed()).certificate, 'base64');
  const expectText = (answer: Answer, ...words: readonly string[]): void => {
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(answer.headers['content-type']).to.match(/^text\/plain/);
    for (const word of words) expect(answer.body.toString()).to.include(word);
  };

  it('is for administrators only, and exists only with login', async () => {
    await addUser(server, boss, 'ada');
    const user = await sessionOf(server, 'ada', 'password of ada');
    const calls = [
      ['POST', '/upload'],
      ['GET', '/info'],
      ['POST', '/generate'],
      ['GET', '/certificate'],
      ['DELETE', ''],
      ['GET', '/enabled'],
    ] as const;
    for (const [method, path] of calls) {
      for (const [headers, status, code] of [
        [{}, 401, 'KEY_INVALID'],
        [{ 'x-api-key': 'wrong' }, 401, 'KEY_INVALID'],
        [user, 403, 'ADMIN_ONLY'],
        [{ 'x-api-key': globalKey }, 403, 'ADMIN_ONLY'],
      ] as const) {
        expectProblem(await send(`${server.url}${ADDRESS}${path}`, { method, headers }), status, code);
      }
    }
    expect((await get('/enabled', { 'x-api-key': await keyOf(server, boss) })).status).to.equal(200);
    const open = await createTestServer({ plugins: ['@quire/plugin-admin-cert'] });
    try {
      await open.start();
      for (const [method, path] of calls)
        expectProblem(await send(`${open.url}${ADDRESS}${path}`, { method }), 404, 'LOGIN_REQUIRED');
    } finally {
      await open.stop();
    }
  });

  it('is created on the first start: self-signed, readable only by its owner', async () => {
    const info = json(await get('/info'));
    expect(info)
      .to.include({
        exists: true,
        subject: 'CN=Quire Inc Server,O=Quire Inc,C=US',
        issuer: 'CN=Quire Inc Server,O=Quire Inc,C=US',
      })
      .and.have.all.keys('exists', 'subject', 'issuer', 'validFrom', 'validTo');
    expect(statSync(keystoreFile()).mode & 0o777).to.equal(0o600);
    const answer = await get('/certificate');
    expect(answer.headers).to.include({ 'content-type': 'application/pkix-cert' });
    expect(answer.headers['content-disposition']).to.match(/^attachment; filename="?server-cert\.cer/);
    const certificate = new X509Certificate(answer.body);
    expect([
      certificate.verify(certificate.publicKey),
      certificate.ca,
      Buffer.from(certificate.raw).equals(answer.body),
    ]).to.deep.equal([true, false, true]);
    expect(json(await get('/enabled'))).to.equal(true);
  });

  it('signs in workers, which never see its key', async () => {
    const { certificate, chain, signature, methods } = json<{
      certificate: string;
      chain: string[];
      signature: string;
      methods: string[];
    }>(await signed());
    expect([Buffer.from(certificate, 'base64').equals(await current()), chain, methods.toSorted()]).to.deep.equal([
      true,
      [],
      ['certificates', 'sign'],
    ]);
    expect(
      verify(
        'sha256',
        Buffer.from('attributes'),
        new X509Certificate(Buffer.from(certificate, 'base64')).publicKey,
        Buffer.from(signature, 'base64'),
      ),
    ).to.equal(true);
    for (const scheme of [[field('family', 'ecdsa')], [field('digest', 'md5')]])
      expectProblem(await signed(scheme), 500, 'CONTRACT_BROKEN');
  });

  it('is replaced by an uploaded one with its chain, which signs after a restart', async () => {
    const before = await current();
    expectText(
      await upload(await pki.pkcs12(ann, secret, { legacy: true }), secret, 'OFFICE.PFX'),
      'takes effect for signing after a restart',
    );
    expect(json(await get('/info'))).to.include({
      exists: true,
      subject: 'CN=Office Seal,O=Test,C=DE',
      issuer: 'CN=Office Inner,O=Test',
    });
    expect((await current()).equals(ann.certificate)).to.equal(true);
    expect((await signer()).equals(before)).to.equal(true);
    expect([
      statSync(keystoreFile()).mode & 0o777,
      readdirSync(join(base, 'data', 'configs')).filter((name) => name.startsWith('server-certificate')),
    ]).to.deep.equal([0o600, ['server-certificate.p12']]);
    const printed = await openssl(base, [
      'pkcs12',
      '-in',
      keystoreFile(),
      '-passin',
      `pass:${FIXED_PASSWORD}`,
      '-nodes',
    ]);
    expect([printed.match(/BEGIN CERTIFICATE/g)?.length, printed.includes('friendlyName: server')]).to.deep.equal([
      3,
      true,
    ]);
    await restart();
    const { certificate, chain } = json<{ certificate: string; chain: string[] }>(await signed());
    expect([
      Buffer.from(certificate, 'base64').equals(ann.certificate),
      chain.map((der) => new X509Certificate(Buffer.from(der, 'base64')).subject),
    ]).to.deep.equal([true, ['O=Test\nCN=Office Inner', 'O=Test\nCN=Office Root']]);
  });

  it('may have another type of key', async () => {
    const issued = await pki.issue({ name: 'Curve Seal', key: 'p384' });
    expectText(await upload(await pki.pkcs12(issued, secret)));
    await restart();
    const { signature } = json<{ signature: string }>(
      await signed([field('family', 'ecdsa'), field('digest', 'sha384')]),
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
    const before = readFileSync(keystoreFile());
    const good = await pki.pkcs12(ann, secret);
    const old = await pki.issue({
      name: 'Old',
      from: new Date('2020-01-01T00:00:00Z'),
      to: new Date('2021-01-01T00:00:00Z'),
    });
    const refused: readonly (readonly [string, Promise<Answer>, string, readonly string[]])[] = [
      ['wrong password', upload(good, 'not-the-password'), 'KEYSTORE_PASSWORD', ['/password']],
      ['empty password', upload(good, ''), 'KEYSTORE_PASSWORD', ['/password']],
      [
        'no password',
        post(`${server.url}${ADDRESS}/upload`, [file(good, 'a.p12', 'file')], boss),
        'INPUT_INVALID',
        ['/password'],
      ],
      [
        'no file',
        post(`${server.url}${ADDRESS}/upload`, [field('password', secret)], boss),
        'INPUT_FILE_MISSING',
        ['/file'],
      ],
      [
        'text in place of a file',
        post(`${server.url}${ADDRESS}/upload`, [field('password', secret), field('file', 'text')], boss),
        'INPUT_FILE_MISSING',
        ['/file'],
      ],
      [
        'the wrong part',
        post(`${server.url}${ADDRESS}/upload`, [file(good, 'a.p12'), field('password', secret)], boss),
        'INPUT_FILE_MISSING',
        ['/file'],
      ],
      [
        'two files',
        post(
          `${server.url}${ADDRESS}/upload`,
          [file(good, 'a.p12', 'file'), file(good, 'b.p12', 'file'), field('password', secret)],
          boss,
        ),
        'INPUT_INVALID',
        ['/file'],
      ],
      ['an empty file', upload(new Uint8Array()), 'INPUT_FILE_EMPTY', []],
      ['another extension', upload(good, secret, 'keystore.txt'), 'INPUT_INVALID', ['/file']],
      ['no extension', upload(good, secret, 'keystore'), 'INPUT_INVALID', ['/file']],
      ['a PDF under the name of a keystore', upload(Buffer.from('%PDF-1.7\n')), 'INPUT_INVALID', ['/file']],
      ['PEM under the name of a keystore', upload(readFileSync(ann.keyFile)), 'KEYSTORE_UNREADABLE', ['/file']],
      ['half a keystore', upload(good.subarray(0, 700)), 'KEYSTORE_UNREADABLE', ['/file']],
      ['noise', upload(Buffer.alloc(3000, 7)), 'KEYSTORE_UNREADABLE', ['/file']],
      ['no private key', upload(await pki.pkcs12(ann, secret, { withKey: false })), 'KEYSTORE_NO_KEY', ['/file']],
      ['an expired certificate', upload(await pki.pkcs12(old, secret)), 'CERTIFICATE_NOT_VALID', ['/file']],
    ];
    for (const [title, outcome, code, where] of refused) {
      const answer = await outcome;
      const problem = expectProblem(answer, 400, code);
      if (where.length > 0) expect(pointers(problem), title).to.deep.equal(where);
      for (const word of [secret, 'not-the-password']) expect(answer.body.toString(), title).not.to.include(word);
    }
    expectProblem(await upload(Buffer.alloc(5_000_000, 0x30)), 413, 'INPUT_TOO_LARGE');
    expectProblem(
      await send(`${server.url}${ADDRESS}/upload`, {
        method: 'POST',
        headers: { ...boss, 'content-type': 'application/json' },
        body: '{}',
      }),
      415,
      'INPUT_MEDIA_TYPE',
    );
    expect(readFileSync(keystoreFile()).equals(before)).to.equal(true);
    await quiet(server);
  });

  it('is accepted with a note when it is weak or not yet valid', async () => {
    const weak = await pki.issue({
      name: 'Weak',
      key: 'rsa1024',
      digest: 'sha1',
      from: new Date(Date.now() + 86_400_000),
      to: new Date(Date.now() + 2 * 86_400_000),
    });
    expectText(
      await upload(await pki.pkcs12(weak, secret)),
      'RSA of 1024 bits',
      'SHA1with',
      'valid from',
      'after a restart',
    );
  });

  it('is replaced by a generated one, which signs after a restart', async () => {
    await restart();
    const before = await signer();
    expectText(await generate(), 'generated', 'takes effect for signing after a restart');
    const made = await current();
    expect([
      made.equals(before),
      new X509Certificate(made).subject.includes('CN=Quire Inc Server'),
      (await signer()).equals(before),
    ]).to.deep.equal([false, true, true]);
    await restart();
    expect((await signer()).equals(made)).to.equal(true);
  });

  it('does not sign after it was deleted; the next start creates a new one', async () => {
    const before = await current();
    expectText(await remove(), 'deleted', 'next start');
    expect(json(await get('/info'))).to.deep.equal({
      exists: false,
      subject: null,
      issuer: null,
      validFrom: null,
      validTo: null,
    });
    expectProblem(await get('/certificate'), 404, 'NOT_FOUND');
    expectProblem(await signed(), 400, 'SERVER_CERTIFICATE_MISSING');
    expectText(await remove(), 'There was no server certificate');
    await restart();
    expect(json(await get('/info'))).to.include({ exists: true });
    expect((await signer()).equals(before)).to.equal(false);
  });

  it('is complete whichever of several concurrent uploads finishes last', async () => {
    const keystores: Buffer[] = [];
    for (const name of ['One', 'Two', 'Three']) keystores.push(await pki.pkcs12(await pki.issue({ name }), secret));
    const answers = await Promise.all([
      ...keystores.map((keystore) => upload(keystore)),
      generate(),
      ...keystores.map((keystore) => upload(keystore)),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    const { privateKey, certificate } = await openKeystore(readFileSync(keystoreFile()), FIXED_PASSWORD);
    expect(new X509Certificate(certificate).checkPrivateKey(privateKey)).to.equal(true);
    expect((await current()).equals(Buffer.from(certificate))).to.equal(true);
    expect(readdirSync(join(base, 'data', 'configs')).filter((name) => name.endsWith('.new'))).to.deep.equal([]);
  });

  it('is not generated while the feature is off, and does not sign then', async () => {
    expectText(await upload(await pki.pkcs12(ann, secret)));
    await restart({ system: { serverCertificate: { enabled: false } } });
    const before = readFileSync(keystoreFile());
    expect(json(await get('/enabled'))).to.equal(false);
    expectProblem(await generate(), 400, 'SERVER_CERTIFICATE_DISABLED');
    expect(readFileSync(keystoreFile()).equals(before)).to.equal(true);
    expect(json(await get('/info'))).to.include({ exists: true });
    expectProblem(await signed(), 400, 'SERVER_CERTIFICATE_DISABLED');
    expectText(await upload(await pki.pkcs12(ann, secret)), 'switched off');
  });

  it('is replaced at every start where configured, an uploaded one too', async () => {
    const settings = {
      system: { serverCertificate: { regenerateOnStartup: true, organizationName: 'Größe & Co', validity: 10 } },
    };
    await restart(settings);
    const info = json<{ subject: string; validFrom: string; validTo: string }>(await get('/info'));
    expect([info.subject, Date.parse(info.validTo) - Date.parse(info.validFrom)]).to.deep.equal([
      'CN=Größe & Co Server,O=Größe & Co,C=US',
      10 * 86_400_000,
    ]);
    expectText(await upload(await pki.pkcs12(ann, secret)));
    await restart(settings);
    expect((await current()).equals(ann.certificate)).to.equal(false);
    expect((await signer()).equals(await current())).to.equal(true);
  });

  it('is reported when it cannot be read: the server starts and accepts another', async () => {
    await server.stop();
    writeFileSync(keystoreFile(), 'no keystore');
    await start();
    expectProblem(await get('/info'), 503, 'SERVICE_NOT_SET_UP');
    expectText(await upload(await pki.pkcs12(ann, secret)));
    expect(json(await get('/info'))).to.include({ exists: true });
  });

  it('is missing where no plugin provides one', async () => {
    const bare = await createTestServer({ plugins: [unrulyPlugin] });
    try {
      await bare.start();
      expectProblem(
        await post(`${bare.url}/api/v1/misc/unruly-signature`, [file(Buffer.from('attributes'), 'a.txt')]),
        400,
        'SERVER_CERTIFICATE_ABSENT',
      );
    } finally {
      await bare.stop();
    }
  });

  it('is in the API documentation with its form', async () => {
    const { paths } = json<{
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: unknown }> } }>>;
    }>(await send(`${server.url}/v1/api-docs`, { headers: boss }));
    const form = JSON.stringify(
      paths[`${ADDRESS}/upload`]?.['post']?.requestBody?.content['multipart/form-data']?.schema,
    );
    expect(form).to.include('"file"').and.include('"password"');
    expect(paths).to.include.keys(
      `${ADDRESS}/generate`,
      `${ADDRESS}/info`,
      `${ADDRESS}/certificate`,
      ADDRESS,
      `${ADDRESS}/enabled`,
    );
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
      const keystore = await pki.pkcs12(ann, secret);
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
      expect(privateKey.equals(createPrivateKey(readFileSync(ann.keyFile)))).to.equal(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
