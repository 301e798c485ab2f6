import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTestServer, type TestServerOptions } from '@quire/core';
import {
  Wire,
  boundary,
  expectProblem,
  field,
  file,
  json,
  post,
  send,
  type Answer,
  type Part,
} from '../support/client.js';
import { sessionOf, startWithLogin } from '../support/login.js';
import { filesBelow, quiet, until, type TestServer } from '../support/server.js';

const API = '/api/v1/mobile-scanner';
const MB = 1024 * 1024;
const ID = '3f2a4c7e-9d35-4b8f-8a10-0b0e7c2e1f4b';
interface Listed {
  readonly sessionId: string;
  readonly files: readonly { readonly filename: string; readonly size: number; readonly contentType: string }[];
  readonly count: number;
}

describe('The mobile scanner over HTTP', function mobileScanner() {
  this.timeout(30_000);
  let server: TestServer;
  before(async () => {
    server = await startWithLogin(
      {},
      {
        system: { enableMobileScanner: true },
        limits: { mobileScanner: { filesPerSession: 5, sessionSize: '30MB', addressSize: '40MB' } },
      },
    );
  });
  after(() => server.stop());
  afterEach(async () => {
    await quiet(server);
    await call('DELETE', `/session/${ID}`);
    await until('no file of a session is left', () => kept().length === 0);
  });

  const call = (method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    send(`${server.url}${API}${path}`, { method, headers });
  const upload = (parts: readonly Part[], id = ID): Promise<Answer> => post(`${server.url}${API}/upload/${id}`, parts);
  const scan = (name: string, bytes: string | Uint8Array = 'content'): Part => file(Buffer.from(bytes), name, 'files');
  const list = async (id = ID): Promise<Listed> => json<Listed>(await call('GET', `/files/${id}`));
  const kept = (): string[] =>
    filesBelow(join(server.basePath, 'store', 'blobs')).filter((path) => path.includes('/scans/'));

  it('accepts files from a phone without login, and returns each once', async () => {
    const began = Date.now();
    const made = await call('POST', `/create-session/${ID}`);
    const { createdAt, expiresAt, ...rest } = json<{ createdAt: number; expiresAt: number }>(made);
    expect([made.status, rest]).to.deep.equal([200, { success: true, sessionId: ID, timeoutMs: 600_000 }]);
    expect([
      createdAt >= began - 1 && createdAt <= Date.now() + 1,
      expiresAt - createdAt,
      Number.isInteger(createdAt),
    ]).to.deep.equal([true, 600_000, true]);
    const valid = json<{ expiresAt: number }>(await call('GET', `/validate-session/${ID}`));
    expect(valid).to.deep.include({ valid: true, sessionId: ID, createdAt, timeoutMs: 600_000 });
    expect(valid.expiresAt).to.be.at.least(expiresAt);
    const sent = await upload([scan('Größe 1.jpg', 'one'), scan('empty.jpg', ''), scan('Größe 1.jpg', 'three')]);
    expect([sent.status, json(sent)]).to.deep.equal([
      200,
      { success: true, sessionId: ID, filesUploaded: 3, message: '3 files were uploaded' },
    ]);
    expect(await list()).to.deep.equal({
      sessionId: ID,
      files: [
        { filename: 'Gr__e_1.jpg', size: 3, contentType: 'image/jpeg' },
        { filename: 'Gr__e_1-1.jpg', size: 5, contentType: 'image/jpeg' },
      ],
      count: 2,
    });
    const got = await call('GET', `/download/${ID}/Gr__e_1-1.jpg`);
    expect([got.status, got.body.toString(), got.headers['content-type'], got.headers['content-length']]).to.deep.equal(
      [200, 'three', 'image/jpeg', '5'],
    );
    expect(got.headers['content-disposition']).to.match(/^attachment; filename="Gr__e_1-1.jpg"/);
    await until('it is deleted', () => kept().length === 1);
    expectProblem(await call('GET', `/download/${ID}/Gr__e_1-1.jpg`), 404, 'NOT_FOUND');
    expect((await list()).count).to.equal(2);
    expect((await call('GET', `/download/${ID}/Gr__e_1.jpg`)).body.toString()).to.equal('one');
    await until('the session is over', async () => (await call('GET', `/validate-session/${ID}`)).status === 404);
  });

  it('reports faults in the members that clients read', async () => {
    for (const path of [
      '/create-session/a_b',
      '/create-session/%20',
      `/create-session/${'x'.repeat(129)}`,
      '/create-session/%00',
      '/create-session/..%2F..%2Fetc',
      '/create-session/s',
      `/create-session/${'0'.repeat(32)}`,
      `/create-session/${ID.slice(1)}`,
    ]) {
      const problem = expectProblem(await call('POST', path), 400, 'INPUT_INVALID');
      expect(problem, path).to.include({ error: problem.detail });
    }
    expectProblem(await upload([scan('a')], 'a_b'), 400, 'INPUT_INVALID');
    for (const id of ['unknown', 'a_b']) {
      expect(expectProblem(await call('GET', `/validate-session/${id}`), 404, 'SCAN_SESSION_UNKNOWN')).to.include({
        valid: false,
        error: 'There is no session with this id, or it has expired.',
      });
      expect(await list(id)).to.deep.equal({ sessionId: id, files: [], count: 0 });
      expectProblem(await call('GET', `/download/${id}/a.jpg`), 404, 'NOT_FOUND');
      expect(json(await call('DELETE', `/session/${id}`))).to.deep.equal({
        success: true,
        sessionId: id,
        message: 'The session was deleted',
      });
    }
    for (const parts of [[], [field('files', 'text')], [file(Buffer.from('x'), 'a.jpg', 'fileInput')]])
      expect(expectProblem(await upload(parts), 400, 'INPUT_FILE_MISSING')).to.have.property('error');
    expect(json(await upload([scan('a.jpg', '')])), 'a file without content is skipped').to.include({
      success: true,
      filesUploaded: 1,
    });
    expect((await list()).count).to.equal(0);
    expectProblem(await upload([...Array(6).keys()].map((i) => scan(`${i}.jpg`))), 413, 'STORAGE_QUOTA');
    expectProblem(await call('POST', `/session/${ID}`), 405, 'METHOD_NOT_ALLOWED');
  });

  it('handles hostile names, and never lets a browser execute a file', async () => {
    const page = '<script>alert(1)</script>';
    await upload([
      scan('../../../etc/passwd', page),
      scan('page\\..\\evil.html', page),
      scan('\u202egpj.svg', page),
      scan('a%0d%0aSet-Cookie: x=1.js', page),
      scan(`${'x'.repeat(5000)}.jpg`, page),
    ]);
    const names = (await list()).files.map(({ filename }) => filename);
    expect(names).to.deep.equal([
      'passwd',
      'evil.html',
      'gpj.svg',
      'a_0d_0aSet-Cookie__x_1.js',
      `${'x'.repeat(196)}.jpg`,
    ]);
    for (const wrong of [
      '..%2Fpasswd',
      '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      'passwd%00',
      '..',
      'passwd%0d%0aX: 1',
      'PASSWD',
      '%ff',
    ])
      expect((await call('GET', `/download/${ID}/${wrong}`)).status, wrong).to.be.within(400, 404);
    for (const name of names.slice(0, 4)) {
      const { status, headers } = await call('GET', `/download/${ID}/${name}`);
      expect(
        [
          status,
          headers['content-type'],
          headers['x-content-type-options'],
          headers['content-security-policy'],
          headers['content-disposition']?.startsWith('attachment;'),
          headers['cache-control'],
        ],
        name,
      ).to.deep.equal([
        200,
        'application/octet-stream',
        'nosniff',
        "sandbox; default-src 'none'",
        true,
        'private, no-store',
      ]);
    }
  });

  it('keeps a file until it was sent completely', async () => {
    const bytes = randomBytes(24 * MB);
    await upload([scan('a.pdf', bytes)]);
    const path = `/download/${ID}/a.pdf`;
    expect((await call('HEAD', path)).status).to.equal(200);
    expect((await call('GET', path, { range: 'bytes=0-9' })).body.length).to.equal(10);
    const wire = await Wire.open(server.url);
    wire.socket.write(`GET ${API}${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await until('the download has begun', () => wire.text.includes('200 OK'));
    wire.close();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(kept()).to.have.length(1);
    const both = await Promise.all([call('GET', path), call('GET', path)]);
    for (const answer of both)
      expect(
        answer.status === 404 || answer.body.equals(bytes),
        `whole or not at all: ${answer.status} ${answer.body.length} ` +
          `${answer.body.subarray(0, 300).toString('latin1')}`,
      ).to.equal(true);
    expect(both.some(({ status }) => status === 200)).to.equal(true);
    await until('it is deleted', () => kept().length === 0);
  });

  it('refuses what cannot fit before its body arrives, and bodies of unknown length in time', async () => {
    const wire = (await Wire.open(server.url)).head(
      `${API}/upload/${ID}`,
      `Content-Length: ${31 * MB}`,
      'Expect: 100-continue',
    );
    await until('it is refused', () => wire.status !== 0);
    expect([wire.status, wire.text.includes('STORAGE_QUOTA')]).to.deep.equal([413, true]);
    const chunked = (await Wire.open(server.url)).head(`${API}/upload/${ID}`, 'Transfer-Encoding: chunked');
    const chunk = (data: Buffer): Buffer =>
      Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
    chunked.write(
      chunk(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n`)),
    );
    for (let sent = 0; sent < 33; sent += 1) chunked.write(chunk(Buffer.alloc(MB)));
    await until('it is refused', () => chunked.status !== 0);
    expect([chunked.status, chunked.text.includes('INPUT_TOO_LARGE')]).to.deep.equal([413, true]);
    for (const one of [wire, chunked]) one.close();
  });
});

describe('The mobile scanner, open to everybody', function open() {
  this.timeout(30_000);
  let server: TestServer;
  before(async () => {
    server = await startWithLogin(
      {},
      {
        server: { trustedProxies: ['127.0.0.1'] },
        system: { enableMobileScanner: true },
        limits: { mobileScanner: { sessionSize: '2MB', addressSize: '3MB' } },
      },
    );
  });
  after(() => server.stop());

  const upload = (id: string, megabytes: number, from: string): Promise<Answer> =>
    post(`${server.url}${API}/upload/${id}`, [file(Buffer.alloc(megabytes * MB, 'x'), 'a.jpg', 'files')], {
      'x-forwarded-for': from,
    });

  it('stores no more for one address than its share, however many sessions it begins', async () => {
    expect((await upload(randomUUID(), 1.5, '10.0.0.1')).status).to.equal(200);
    const refused = expectProblem(await upload(randomUUID(), 1.8, '10.0.0.1'), 429, 'SCAN_SESSIONS_FULL');
    expect(refused.detail).to.contain('limits.mobileScanner.addressSize');
    expect((await upload(randomUUID(), 1.8, '10.0.0.2')).status, 'another address').to.equal(200);
  });

  it('accepts no id that can be guessed', async () => {
    for (const id of ['1', 'session', '12345678901234567890', 'a'.repeat(32), randomUUID().slice(0, 20)]) {
      for (const path of [`/create-session/${id}`, `/upload/${id}`]) {
        const answer = await post(`${server.url}${API}${path}`, [file(Buffer.from('x'), 'a.jpg', 'files')]);
        expect(expectProblem(answer, 400, 'INPUT_INVALID').detail, id).to.contain('at least 128 bits');
      }
    }
  });
});

describe('The mobile scanner, switched off', () => {
  const expectOff = async (settings: NonNullable<TestServerOptions['settings']>): Promise<void> => {
    const server = await createTestServer({ settings, plugins: ['@quire/plugin-filter'] });
    try {
      await server.start();
      const config = json(await send(`${server.url}/api/v1/config/app-config`));
      expect(config['enableMobileScanner']).to.equal(false);
      for (const [method, path] of [
        ['POST', '/create-session/s'],
        ['GET', '/validate-session/s'],
        ['POST', '/upload/s'],
        ['GET', '/files/s'],
        ['GET', '/download/s/a'],
        ['DELETE', '/session/s'],
      ] as const) {
        const problem = expectProblem(await send(`${server.url}${API}${path}`, { method }), 403, 'FEATURE_OFF');
        expect(problem, path).to.include({ enabled: false, error: problem.detail });
      }
    } finally {
      await server.stop();
    }
  };

  it('reports this at every address', async function off() {
    this.timeout(30_000);
    await expectOff({ system: { enableMobileScanner: false } });
    await expectOff({ system: { enableMobileScanner: false }, security: { enableLogin: true } });
  });

  it('is so while login is off and nobody switched it on', async function unset() {
    this.timeout(30_000);
    await expectOff({});
  });
});

describe('The mobile scanner, not switched on, with login', function withLogin() {
  this.timeout(30_000);
  let server: TestServer;
  before(async () => (server = await startWithLogin()));
  after(() => server.stop());

  it('is begun by a signed-in user only, and continued by the phone without login', async () => {
    const call = (method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      send(`${server.url}${API}${path}`, { method, headers });
    const upload = (id: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      post(`${server.url}${API}/upload/${id}`, [file(Buffer.from('content'), 'a.jpg', 'files')], headers);
    const [mine, other] = [randomUUID(), randomUUID()];
    const refused = expectProblem(await call('POST', `/create-session/${mine}`), 403, 'FEATURE_OFF');
    expect(refused).to.include({ enabled: false });
    expect(refused.detail).to.contain('signed-in user').and.contain('system.enableMobileScanner');
    expectProblem(await call('POST', `/create-session/${mine}`, { 'x-api-key': 'wrong' }), 403, 'FEATURE_OFF');
    expectProblem(await upload(mine), 404, 'SCAN_SESSION_UNKNOWN');
    const user = await sessionOf(server);
    expect((await call('POST', `/create-session/${mine}`, user)).status).to.equal(200);
    expect((await upload(mine)).status, 'the phone').to.equal(200);
    expect(json<Listed>(await call('GET', `/files/${mine}`)).count).to.equal(1);
    expect((await call('GET', `/download/${mine}/a.jpg`)).body.toString()).to.equal('content');
    expectProblem(await upload(other), 404, 'SCAN_SESSION_UNKNOWN');
    expect((await upload(other, user)).status, 'the user').to.equal(200);
    expect(json(await send(`${server.url}/api/v1/config/app-config`))['enableMobileScanner']).to.equal(true);
  });
});
