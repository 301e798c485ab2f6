import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { S3Server } from '../../suites/s3-server.js';
import { expectProblem, field, json, post, send } from '../support/client.js';
import { sessionOf, startWithLogin } from '../support/login.js';
import { quiet, type TestServer } from '../support/server.js';
import { StorageClient, type Caller, type StoredFileWire } from '../support/storage.js';

describe('Stored files in a bucket', function storageBucket() {
  this.timeout(60_000);
  let bucket: S3Server;
  let server: TestServer;
  let client: StorageClient;
  let boss: Caller;
  const settingsOf = (more: object = {}): object => ({
    endpoint: bucket.url,
    bucket: 'quire',
    region: bucket.region,
    accessKey: bucket.accessKey,
    secretKey: bucket.secretKey,
    pathStyleAccess: true,
    allowPrivateEndpoints: true,
    ...more,
  });
  before(async () => {
    bucket = await S3Server.start();
    server = await startWithLogin(
      {},
      {
        storage: { enabled: true, provider: 's3', s3: settingsOf(), sharing: { enabled: true } },
        system: { frontendUrl: 'https://quire.example.org' },
      },
    );
    client = new StorageClient(server);
    boss = await sessionOf(server);
  });
  after(async () => {
    await server.stop();
    await bucket.stop();
  });
  afterEach(async () => {
    bucket.failWith = undefined;
    bucket.lie = undefined;
    for (const { id } of await client.list(boss)) await client.remove(`/files/${id}`, boss);
    await quiet(server);
    expect([...bucket.objects.keys()], 'nothing is left in the bucket').to.deep.equal([]);
    const folder = join(server.basePath, 'tmp', 'bucket');
    expect(existsSync(folder) ? readdirSync(folder) : []).to.deep.equal([]);
  });

  it('are stored with their digest, and clients are redirected there to download them', async () => {
    const { id } = await client.keep(boss, 'in the bucket', { fileName: 'Größe & so.txt' });
    const [[path, object] = ['', undefined]] = [...bucket.objects];
    expect(path).to.match(/^\/quire\/storage\/[0-9a-f]{32}$/);
    expect([object?.body.toString(), object?.checksum]).to.deep.equal([
      'in the bucket',
      createHash('sha256').update('in the bucket').digest('base64'),
    ]);
    const token = json<{ token: string }>(await client.json('POST', `/files/${id}/shares/links`, {}, boss)).token;
    for (const [way, kind] of [
      [`/files/${id}/download`, 'attachment'],
      [`/files/${id}/download?inline=true`, 'inline'],
      [`/share-links/${token}`, 'attachment'],
    ] as const) {
      const answer = await client.get(way, boss);
      expect([answer.status, answer.body.length], answer.body.toString()).to.deep.equal([302, 0]);
      const there = await send(String(answer.headers['location']));
      expect([there.status, there.body.toString(), there.headers['content-type']], way).to.deep.equal([
        200,
        'in the bucket',
        'text/plain',
      ]);
      expect(there.headers['content-disposition']).to.equal(
        `${kind}; filename="Gro_e & so.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%26%20so.txt`,
      );
    }
    const forged = String((await client.get(`/files/${id}/download`, boss)).headers['location']).replace(
      /storage\/[0-9a-f]{4}/,
      'storage/0000',
    );
    expect((await send(forged)).status, 'the address is good for this content alone').to.equal(403);
    expect(
      json<{ accessType: string }[]>(await client.get(`/files/${id}/shares/links/${token}/accesses`, boss)),
    ).to.have.length(1);
  });

  it('are replaced, and serve as the document of a call', async () => {
    const pdf = await makePdf({ pages: 1 });
    const { id } = await client.keep(boss, 'old');
    expect(
      json<StoredFileWire>(await client.upload([{ bytes: pdf, fileName: 'a.pdf', type: 'application/pdf' }], boss, id))
        .sizeBytes,
    ).to.equal(pdf.length);
    expect(bucket.objects.size).to.equal(1);
    const rotate = () =>
      post(`${server.url}/api/v1/general/rotate-pdf`, [field('fileId', String(id)), field('angle', '90')], boss);
    expect((await rotate()).status).to.equal(200);
    bucket.lie = Buffer.from('%PDF-1.7 of somebody else');
    expectProblem(await rotate(), 502, 'REMOTE_ANSWER');
    bucket.lie = undefined;
    bucket.objects.clear();
    expectProblem(await rotate(), 400, 'INPUT_FILE_UNKNOWN');
  });

  it('are not stored when the bucket refuses them, and the answer names it', async () => {
    for (const status of [403, 404, 500, 503]) {
      bucket.failWith = status;
      expect(expectProblem(await client.upload([{ bytes: 'x' }], boss), 502, 'REMOTE_ANSWER').detail).to.contain(
        String(status),
      );
    }
    bucket.failWith = undefined;
    expect(await client.list(boss)).to.deep.equal([]);
  });

  it('require a bucket, keys, a valid host, a public address (unless private is allowed), a licence', async () => {
    for (const [s3, licence, status, code] of [
      [{ ...settingsOf(), bucket: '' }, 'enterprise', 503, 'SERVICE_NOT_SET_UP'],
      [{ ...settingsOf(), accessKey: '' }, 'enterprise', 503, 'SERVICE_NOT_SET_UP'],
      [settingsOf({ pathStyleAccess: false }), 'enterprise', 503, 'SERVICE_NOT_SET_UP'],
      [settingsOf({ allowPrivateEndpoints: false }), 'enterprise', 503, 'SERVICE_NOT_SET_UP'],
      [settingsOf(), 'free', 403, 'LICENCE_TOO_LOW'],
    ] as const) {
      const other = await startWithLogin(
        {},
        { storage: { enabled: true, provider: 's3', s3 }, licence: { tier: licence } },
      );
      try {
        expectProblem(await new StorageClient(other).upload([{ bytes: 'x' }], await sessionOf(other)), status, code);
      } finally {
        await other.stop();
      }
    }
  });
});
