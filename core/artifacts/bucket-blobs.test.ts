import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { describeBlobs } from '../../test/suites/blobs.js';
import { codeOf } from '../../test/suites/code-of.js';
import { silentLog } from '../../test/suites/job-harness.js';
import { blobsOn } from '../../test/suites/s3-blobs.js';
import { S3Server } from '../../test/suites/s3-server.js';
import { temporaryEmbeddedStore } from '../../test/suites/temporary-store.js';
import { openFolderBlobs } from '../store/index.js';
import { blobsWithOlder, type BucketBlobs } from './index.js';

const suites = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'test', 'suites');

describe('Blobs in a bucket', function () {
  this.timeout(60_000);
  let child: ChildProcess;
  let port = 0;
  let tests = 0;
  before(async () => {
    child = fork(join(suites, 's3-child.ts'), { execArgv: ['--import', 'tsx'] });
    ({ port } = await new Promise<{ port: number }>((resolve) =>
      child.once('message', (sent) => resolve(sent as never)),
    ));
  });
  after(() => void child.kill());

  describeBlobs(async () => {
    const home = await temporaryEmbeddedStore();
    tests += 1;
    const { blobs, close } = blobsOn(port, {
      folder: `transient/${tests}/`,
      temporaryFolder: join(home.folder ?? '', 'in-transfer'),
    });
    return {
      ...home,
      open: async () => ({ ...(await home.open()), blobs }),
      remove: async () => {
        await close();
        await home.remove();
      },
    };
  });
});

describe('A bucket of blobs', () => {
  let server: S3Server;
  let folder: string;
  let blobs: BucketBlobs;
  let logged: string[];
  const closes: (() => Promise<void>)[] = [];
  const log = {
    ...silentLog,
    info: (_data: object, message: string) => void logged.push(message),
    error: (data: object, message: string) => void logged.push(`${message}: ${(data as { reason: string }).reason}`),
  };
  const open = (more: Partial<Parameters<typeof blobsOn>[1]> = {}): BucketBlobs => {
    const opened = blobsOn(server.port, { temporaryFolder: join(folder, 'transfer'), log, ...more });
    closes.push(opened.close);
    return opened.blobs;
  };
  beforeEach(async () => {
    server = await S3Server.start();
    server.bucket = 'quire';
    folder = await mkdtemp(join(tmpdir(), 'quire-bucket-'));
    logged = [];
    blobs = open();
  });
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const putText = (content: string): Promise<{ id: string }> => blobs.put(Readable.from([Buffer.from(content)]));
  const ids = async (of: Pick<BucketBlobs, 'list'>): Promise<string[]> => {
    const found: string[] = [];
    for await (const { id } of of.list()) found.push(id);
    return found;
  };

  it('lists what is in its folder, over several pages, and nothing that belongs to others', async () => {
    const own = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(putText));
    const other = open({ folder: 'transient/two/' });
    await other.put(Readable.from(['x']));
    for (const key of [
      'storage/0123456789abcdef0123456789abcdef',
      'transient/one/jobs/notes.txt',
      'transient/one/jobs/a/b',
    ])
      server.put(`/quire/${key}`, Buffer.from('of somebody else'));
    expect(server.objects.size).to.equal(9);
    expect((await ids(blobs)).sort()).to.deep.equal(own.map(({ id }) => id).sort());
    expect(await other.exists(own[0]?.id ?? '')).to.equal(false);
  });

  it('gives the time of an object, and its digest to the service', async () => {
    server.now = () => new Date('2026-03-01T12:00:00.000Z');
    const { id } = await putText('content');
    for await (const blob of blobs.list())
      expect(blob).to.deep.equal({ id, size: 7, modifiedAt: new Date('2026-03-01T12:00:00.000Z') });
    expect(server.objects.get(`/quire/transient/one/jobs/${id}`)?.checksum).to.be.a('string');
  });

  it('transfers no more than a part that is asked for', async () => {
    const { id } = await putText('0123456789');
    const part = await blobs.get(id, { start: 3, end: 5 });
    expect([await text(part?.stream ?? Readable.from([])), part?.size]).to.deep.equal(['345', 10]);
    expect(server.requests.at(-1)).to.equal(`GET /quire/transient/one/jobs/${id}`);
    expect(await readdir(join(folder, 'transfer'))).to.deep.equal([]);
  });

  it('is a store that is away while it does not answer, and says so once', async () => {
    const { id } = await putText('kept');
    const { port } = server;
    await server.stop();
    expect(await codeOf(putText('lost'))).to.equal('STORE_DOWN');
    expect(await codeOf(blobs.get(id))).to.equal('STORE_DOWN');
    expect(await codeOf(blobs.delete(id))).to.equal('STORE_DOWN');
    expect(await codeOf(ids(blobs))).to.equal('STORE_DOWN');
    await server.listen(port);
    expect(await text((await blobs.get(id))?.stream ?? Readable.from([]))).to.equal('kept');
    expect(logged).to.have.length(2);
    expect(logged[0]).to.match(/cannot be used: 127\.0\.0\.1:\d+ could not be reached: ECONNREFUSED/);
    expect(logged[1]).to.contain('can be used again');
  });

  it('tells a bucket that is gone from a file that is gone', async () => {
    const { id } = await putText('kept');
    expect(await blobs.get('0'.repeat(32))).to.equal(undefined);
    expect(await blobs.save('0'.repeat(32), join(folder, 'none'))).to.equal(false);
    server.bucket = 'another';
    for (const work of [() => blobs.get(id), () => blobs.exists(id), () => blobs.delete(id), () => putText('x')])
      expect(await codeOf(work())).to.equal('STORE_DOWN');
    expect(logged.join()).to.contain('storage.s3.bucket does not exist');
  });

  it('waits for a service that is busy, and never shows its keys in the log', async () => {
    server.failWith = 503;
    const putting = putText('at last');
    setTimeout(() => (server.failWith = undefined), 100);
    expect(await blobs.exists((await putting).id)).to.equal(true);
    server.failWith = 503;
    expect(await codeOf(putText('x'))).to.equal('STORE_DOWN');
    server.failWith = 507;
    expect(await codeOf(putText('x'))).to.equal('STORAGE_FULL');
    server.failWith = undefined;
    const stranger = open({ bucket: { secretKey: 'a wrong secret' } });
    expect(await codeOf(stranger.put(Readable.from(['x'])))).to.equal('STORE_DOWN');
    expect(logged.join())
      .to.contain('answered 403')
      .and.not.contain('a wrong secret')
      .and.not.contain(server.secretKey);
  });

  it('does not pass on content that is not what was stored', async () => {
    const { id } = await putText('the result');
    server.lie = Buffer.from('another one');
    expect(await codeOf(blobs.get(id))).to.equal('REMOTE_ANSWER');
    expect(await codeOf(blobs.save(id, join(folder, 'saved')))).to.equal('REMOTE_ANSWER');
    expect(await readdir(folder)).not.to.include('saved');
    server.lie = undefined;
    expect(await blobs.save(id, join(folder, 'saved'))).to.equal(true);
    expect(await readFile(join(folder, 'saved'), 'utf8')).to.equal('the result');
  });

  it('refuses a file above 5 GiB before it is sent, and names the setting', async () => {
    const path = join(folder, 'large');
    await writeFile(path, '');
    await truncate(path, 5 * 1024 ** 3 + 1);
    const error = await blobs.put(path).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error).to.have.property('code', 'SERVICE_NOT_SET_UP');
    expect(error?.message).to.contain('cluster.artifactStore').and.contain('5368709120 bytes');
    expect(server.requests).to.deep.equal([]);
  });

  it('finds and removes blobs from before it was used', async () => {
    const older = openFolderBlobs(folder, 'jobs');
    const before = await older.put(Readable.from(['before']));
    const both = blobsWithOlder(blobs, older);
    const after = await both.put(Readable.from(['after']));
    expect(server.objects.size).to.equal(1);
    expect(await text((await both.get(before.id))?.stream ?? Readable.from([]))).to.equal('before');
    expect([both.path(before.id), both.path(after.id)]).to.deep.equal([older.path(before.id), undefined]);
    expect(await both.save?.(before.id, join(folder, 'one'))).to.equal(true);
    expect((await ids(both)).sort()).to.deep.equal([before.id, after.id].sort());
    for (const { id } of [before, after])
      expect([await both.delete(id), await both.exists(id)]).to.deep.equal([true, false]);
    expect([server.objects.size, await ids(older)]).to.deep.equal([0, []]);
  });
});
