import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { Wire, expectProblem, field, formType, json, pointers, post, send, type Answer } from '../support/client.js';
import { sendFields, sessionOf, startWithLogin } from '../support/login.js';
import { filesBelow, quiet, startServer, until, type TestServer } from '../support/server.js';
import { callerOf, STORAGE, StorageClient, type Caller, type StoredFileWire } from '../support/storage.js';

const API = '/api/v1';
const storage = { enabled: true, quotas: { maxFileMb: 1, maxStorageMbPerUser: 3 }, sharing: { enabled: true } };
/** Every address of storage (`docs/interface/storage.yml`). */
const addresses: readonly (readonly [string, string])[] = [
  ['POST', '/files'],
  ['GET', '/files'],
  ['GET', '/files/1'],
  ['PUT', '/files/1'],
  ['GET', '/files/1/download'],
  ['DELETE', '/files/1'],
  ['POST', '/files/1/shares/users'],
  ['DELETE', '/files/1/shares/users/ann'],
  ['DELETE', '/files/1/shares/self'],
  ['POST', '/files/1/shares/links'],
  ['DELETE', '/files/1/shares/links/x'],
  ['GET', '/files/1/shares/links/x/accesses'],
  ['GET', '/share-links/x'],
  ['GET', '/share-links/x/metadata'],
  ['GET', '/share-links/accessed'],
  ['GET', '/folders'],
  ['POST', '/folders'],
  ['PATCH', '/folders/x'],
  ['DELETE', '/folders/x'],
  ['PATCH', '/files/1/folder'],
  ['PATCH', '/files/folder'],
];

describe('Stored files over HTTP', function storedFiles() {
  this.timeout(60_000);
  let basePath: string;
  let server: TestServer;
  let client: StorageClient;
  let boss: Caller;
  let ann: Caller;
  let bob: Caller;
  const start = async (): Promise<void> => {
    server = await startWithLogin({}, { storage, system: { frontendUrl: 'https://quire.example.org' } }, basePath);
    client = new StorageClient(server);
    boss = await sessionOf(server);
  };
  const kept = (): string[] => filesBelow(join(basePath, 'storage'));
  const download = (id: number, caller: Caller, headers: Caller = {}, query = ''): Promise<Answer> =>
    client.get(`/files/${id}/download${query}`, caller, headers);

  before(async () => {
    basePath = mkdtempSync(join(tmpdir(), 'quire-test-'));
    await start();
    ann = await callerOf(server, boss, 'ann');
    bob = await callerOf(server, boss, 'bob');
  });
  after(async () => {
    await server.stop();
    rmSync(basePath, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const caller of [ann, bob])
      for (const { id, ownedByCurrentUser } of await client.list(caller))
        if (ownedByCurrentUser) await client.remove(`/files/${id}`, caller);
    await quiet(server);
  });

  it('are returned with all members when stored, and are in the root folder', async () => {
    const answer = await client.upload(
      [
        { bytes: 'hello', fileName: 'Grüße.txt' },
        { name: 'historyBundle', bytes: 'history' },
        { name: 'auditLog', bytes: 'log' },
      ],
      ann,
    );
    expect(answer.status).to.equal(200);
    const { id, createdAt, ...file } = json<StoredFileWire>(answer);
    expect(file).to.deep.equal({
      fileName: 'Grüße.txt',
      contentType: 'text/plain',
      sizeBytes: 5,
      owner: 'ann',
      ownedByCurrentUser: true,
      accessRole: 'editor',
      updatedAt: null,
      sharedWithUsers: [],
      sharedUsers: [],
      shareLinks: [],
      filePurpose: 'generic',
      folderId: null,
    });
    expect(id).to.be.a('number');
    expect(createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
    expect(kept(), 'in the folder of the setting').to.have.length(3);
    expect(await client.describe(id, ann)).to.deep.equal({ id, createdAt, ...file });
  });

  it('are refused without content, without the part, as programs, and above a quota', async () => {
    expectProblem(await client.upload([{ bytes: '' }], ann), 400, 'INPUT_FILE_EMPTY');
    expectProblem(await client.upload([{ bytes: 'x', name: 'fileInput' }], ann), 400, 'INPUT_FILE_MISSING');
    expect(
      pointers(
        expectProblem(await client.upload([{ bytes: 'x', type: 'application/x-sh' }], ann), 400, 'FILE_TYPE_REFUSED'),
      ),
    ).to.deep.equal(['/file']);
    expect(
      pointers(expectProblem(await client.upload([{ bytes: 'x' }, { bytes: 'y' }], ann), 400, 'INPUT_INVALID')),
    ).to.deep.equal(['/file']);
    expectProblem(
      await send(`${server.url}${STORAGE}/files`, {
        method: 'POST',
        headers: { ...ann, 'content-type': 'application/json' },
        body: '{}',
      }),
      415,
      'INPUT_MEDIA_TYPE',
    );
    expectProblem(
      await client.upload([{ bytes: Buffer.alloc(1024 * 1024) }, { name: 'auditLog', bytes: 'x' }], ann),
      413,
      'STORAGE_QUOTA',
    );
    for (let n = 0; n < 3; n++) await client.keep(ann, Buffer.alloc(1024 * 1024 - 1));
    expectProblem(await client.upload([{ bytes: 'four' }], ann), 413, 'STORAGE_QUOTA');
    await client.keep(bob, 'of another user');
    expect(kept()).to.have.length(4);
    const [mine] = await client.list(ann);
    for (const [method, path] of [
      ['POST', '/files'],
      ['PUT', `/files/${mine?.id}`],
    ] as const) {
      const wire = await Wire.open(server.url);
      wire.socket.write(
        [
          `${method} ${STORAGE}${path} HTTP/1.1`,
          'Host: localhost',
          `Content-Type: ${formType}`,
          ...Object.entries(ann).map(([name, value]) => `${name}: ${value}`),
          'Expect: 100-continue',
          `Content-Length: ${1024 * 1024 + 70_000}`,
          '',
          '',
        ].join('\r\n'),
      );
      await until('it is refused before its body comes', () => wire.status !== 0);
      expect([wire.status, wire.text.includes('STORAGE_QUOTA')], method).to.deep.equal([413, true]);
      wire.close();
    }
  });

  it('are listed newest first, and only to their owner', async () => {
    const [first, second] = [await client.keep(ann, 'one'), await client.keep(ann, 'two')];
    expect((await client.list(ann)).map(({ id }) => id)).to.deep.equal([second.id, first.id]);
    expect(await client.list(bob)).to.deep.equal([]);
    for (const path of ['', '/download']) {
      const missing = expectProblem(await client.get(`/files/999999${path}`, ann), 404, 'NOT_FOUND');
      for (const caller of [bob, boss]) {
        const foreign = expectProblem(await client.get(`/files/${first.id}${path}`, caller), 404, 'NOT_FOUND');
        expect(foreign.detail).to.equal(missing.detail);
      }
    }
    for (const caller of [bob, boss]) {
      expectProblem(await client.remove(`/files/${first.id}`, caller), 404, 'NOT_FOUND');
      expectProblem(await client.upload([{ bytes: 'x' }], caller, first.id), 404, 'NOT_FOUND');
      expectProblem(await client.json('PATCH', `/files/${first.id}/folder`, {}, caller), 404, 'NOT_FOUND');
    }
    expect((await download(first.id, ann)).body.toString()).to.equal('one');
  });

  it('do not accept a path in place of a number', async () => {
    for (const id of [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      '-1',
      '1.5',
      '1e3',
      '0x1',
      '99999999999999999999',
      'abc',
      '%00',
      '1%00',
    ]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['GET', '/download'],
        ['DELETE', ''],
      ] as const) {
        const answer = await client.get(`/files/${id}${rest}`, ann, {}, method);
        expect(answer.status, `${method} ${id}${rest}: ${answer.body.toString()}`).to.be.oneOf([400, 404]);
      }
    }
  });

  it('are sent as attachments, or shown in the browser where requested', async () => {
    const { id } = await client.keep(ann, 'hello', { fileName: 'Grüße "1".txt'.replaceAll('"', "'") });
    const attachment = await download(id, ann);
    expect(attachment.headers['content-type']).to.match(/^text\/plain/);
    expect(attachment.headers['content-disposition']).to.equal(
      "attachment; filename=\"Gru_e '1'.txt\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%271%27.txt",
    );
    expect((await download(id, ann, {}, '?inline=true')).headers['content-disposition']).to.match(
      /^inline; filename="/,
    );
    expectProblem(await download(id, ann, {}, '?inline=perhaps'), 400, 'INPUT_INVALID');
    const page = await client.keep(ann, '<script>alert(1)</script>', { fileName: 'a.html', type: 'text/html' });
    const shown = await download(page.id, ann, {}, '?inline=true');
    expect(shown.headers['content-security-policy'], 'a page of one user never acts as another').to.match(/^sandbox;/);
    expect(shown.headers['x-content-type-options']).to.equal('nosniff');
    const pdf = await client.keep(ann, await makePdf({ pages: 1 }), { fileName: 'a.pdf', type: 'application/pdf' });
    expect((await download(pdf.id, ann, {}, '?inline=true')).headers).not.to.have.property('content-security-policy');
  });

  it('are sent in part where a range is requested', async () => {
    const { id } = await client.keep(ann, '0123456789');
    const whole = await download(id, ann);
    expect([whole.headers['accept-ranges'], whole.headers['content-length']]).to.deep.equal(['bytes', '10']);
    const etag = String(whole.headers['etag']);
    for (const [range, body, contentRange] of [
      ['bytes=2-4', '234', 'bytes 2-4/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-2', '89', 'bytes 8-9/10'],
      ['bytes=-99', '0123456789', 'bytes 0-9/10'],
      ['bytes=5-99', '56789', 'bytes 5-9/10'],
    ] as const) {
      const part = await download(id, ann, { range });
      expect(
        [part.status, part.body.toString(), part.headers['content-range'], part.headers['content-length']],
        range,
      ).to.deep.equal([206, body, contentRange, String(body.length)]);
    }
    for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
      const refused = await download(id, ann, { range });
      expectProblem(refused, 416, 'RANGE_INVALID');
      expect(refused.headers['content-range']).to.equal('bytes */10');
    }
    for (const range of ['bytes=4-2', 'lines=1-2', 'bytes=a-b', 'bytes=-', 'bytes=0-1,4-5'])
      expect(
        [(await download(id, ann, { range })).status, (await download(id, ann, { range })).body.toString()],
        range,
      ).to.deep.equal([200, '0123456789']);
    expect((await download(id, ann, { range: 'bytes=0-1', 'if-range': etag })).status).to.equal(206);
    await client.upload([{ bytes: 'abcdefghij' }], ann, id);
    const changed = await download(id, ann, { range: 'bytes=0-1', 'if-range': etag });
    expect(
      [changed.status, changed.body.toString()],
      'a range of other content does not count as access',
    ).to.deep.equal([200, 'abcdefghij']);
    expect((await download(id, ann, { 'if-none-match': String(changed.headers['etag']) })).status).to.equal(304);
    const head = await client.get(`/files/${id}/download`, ann, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).to.deep.equal([200, '10', 0]);
  });

  it('are changed by their owner in content, name and type, and are deleted for good', async () => {
    const { id, createdAt } = await client.keep(ann, 'old');
    const replaced = json<StoredFileWire>(
      await client.upload([{ bytes: 'much newer', fileName: 'b.md', type: 'text/markdown' }], ann, id),
    );
    expect(replaced).to.include({ id, createdAt, fileName: 'b.md', contentType: 'text/markdown', sizeBytes: 10 });
    expect(replaced.updatedAt).to.be.a('string');
    expect(kept(), 'the old content is gone').to.have.length(1);
    const removed = await client.remove(`/files/${id}`, ann);
    expect([removed.status, removed.body.length]).to.deep.equal([204, 0]);
    expect(kept()).to.deep.equal([]);
    for (const answer of [
      await client.remove(`/files/${id}`, ann),
      await download(id, ann),
      await client.upload([{ bytes: 'x' }], ann, id),
    ])
      expectProblem(answer, 404, 'NOT_FOUND');
  });

  it('serve as the document of a call, for everybody who may read them', async () => {
    const pdf = await makePdf({ pages: 2 });
    const { id } = await client.keep(ann, pdf, { fileName: 'mine.pdf', type: 'application/pdf' });
    const rotate = (caller: Caller, fileId: string, query = ''): Promise<Answer> =>
      post(`${server.url}${API}/general/rotate-pdf${query}`, [field('fileId', fileId), field('angle', '90')], caller);
    const rotated = await rotate(ann, String(id));
    expect(rotated.status, rotated.body.toString('latin1', 0, 300)).to.equal(200);
    expect(rotated.headers['content-disposition']).to.contain('mine_rotated.pdf');
    const foreign = await rotate(bob, String(id));
    expectProblem(foreign, 400, 'INPUT_FILE_UNKNOWN');
    expect(
      { ...json(await rotate(bob, '999999')), requestId: '', timestamp: '' },
      'as if it did not exist',
    ).to.deep.equal({ ...json(foreign), requestId: '', timestamp: '' });
    await client.json('POST', `/files/${id}/shares/users`, { username: 'bob', accessRole: 'VIEWER' }, ann);
    expect((await rotate(bob, String(id))).status).to.equal(200);
    const { jobId } = json<{ jobId: string }>(await rotate(bob, String(id), '?async=true'));
    await client.remove(`/files/${id}`, ann);
    await until(
      'the job is complete',
      async () =>
        json<{ complete: boolean }>(
          await send(`${server.url}${API}/general/job/${encodeURIComponent(jobId)}`, { headers: bob }),
        ).complete,
    );
    const result = await send(`${server.url}${API}/general/job/${encodeURIComponent(jobId)}/result`, { headers: bob });
    expect([result.status, result.body.subarray(0, 5).toString()], 'a job has used its input').to.deep.equal([
      200,
      '%PDF-',
    ]);
    const text = await client.keep(ann, 'no PDF');
    expectProblem(await rotate(ann, String(text.id)), 415, 'INPUT_KIND');
  });

  it('leave nothing behind when the client disconnects in the middle', async () => {
    const leave = new AbortController();
    const url = `${server.url}${STORAGE}/files`;
    const body = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'),
      Buffer.alloc(100_000),
    ]);
    const sent = send(url, {
      method: 'POST',
      headers: { ...ann, 'content-type': 'multipart/form-data; boundary=b', 'content-length': '900000' },
      body,
      signal: leave.signal,
    }).catch(() => undefined);
    setTimeout(() => leave.abort(), 150);
    await sent;
    await quiet(server);
    expect([kept(), await client.list(ann)]).to.deep.equal([[], []]);
  });

  it("are deleted with their owner's account", async () => {
    const cid = await callerOf(server, boss, 'cid');
    const { id } = await client.keep(cid, 'of cid');
    await client.json('POST', `/files/${id}/shares/users`, { username: 'bob' }, cid);
    const deleted = await sendFields(server, '/api/v1/user/admin/deleteUser/cid', {}, boss);
    expect(deleted.status, deleted.body.toString()).to.equal(200);
    expectProblem(await download(id, bob), 404, 'NOT_FOUND');
    expect(kept()).to.deep.equal([]);
    const again = await callerOf(server, boss, 'cid');
    expect(await client.list(again), 'the next of this name has nothing of it').to.deep.equal([]);
  });

  it('persist after a restart', async () => {
    const { id } = await client.keep(ann, 'lasting');
    const folder = await client.makeFolder(ann, { name: 'kept' });
    await client.json('PATCH', `/files/${id}/folder`, { folderId: folder.id }, ann);
    await server.stop();
    await start();
    expect((await client.describe(id, ann)).folderId).to.equal(folder.id);
    expect((await download(id, ann)).body.toString()).to.equal('lasting');
    expect((await client.keep(ann, 'next')).id).to.be.greaterThan(id);
  });

  it('are for users only', async () => {
    for (const [method, path] of addresses) expectProblem(await client.get(path, {}, {}, method), 401, 'KEY_INVALID');
  });

  it('are refused entirely while login or storage is off', async () => {
    const open = await startServer({ storage });
    const off = await startWithLogin();
    const key = await sessionOf(off);
    try {
      for (const [method, path] of addresses) {
        const withoutLogin = expectProblem(await new StorageClient(open).get(path, {}, {}, method), 403, 'FEATURE_OFF');
        expect(withoutLogin.detail).to.contain('security.enableLogin');
        expect(
          expectProblem(await new StorageClient(off).get(path, key, {}, method), 403, 'FEATURE_OFF').detail,
        ).to.contain('storage.enabled');
        expectProblem(await new StorageClient(off).get(path, {}, {}, method), 401, 'KEY_INVALID');
      }
      expectProblem(
        await post(`${open.url}${API}/general/rotate-pdf`, [field('fileId', '1')]),
        400,
        'INPUT_FILE_UNKNOWN',
      );
    } finally {
      await Promise.all([open.stop(), off.stop()]);
    }
  });
});
