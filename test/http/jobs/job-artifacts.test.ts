import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { S3Server } from '../../suites/s3-server.js';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { expectProblem, field, file, json, post, send } from '../support/client.js';
import { testDatabase, type TestDatabase } from '../support/mongo.js';
import { makeBase, migrate, startProcess, type ServerProcess } from '../support/process.js';
import { filesBelow, until } from '../support/server.js';

const API = '/api/v1';
const HOURS_MS = 2 * 3_600_000;

describe('Jobs whose files are in a bucket', function jobArtifacts() {
  this.timeout(90_000);
  let s3: S3Server;
  let pdf: Uint8Array;
  const servers: ServerProcess[] = [];
  const bases = new Set<string>();
  const settingsOf = (more: object = {}) => ({
    cluster: { artifactStore: 's3', s3: { keyPrefix: 'quire/jobs-of-tests' } },
    storage: {
      s3: {
        endpoint: s3.url,
        bucket: 'files',
        region: s3.region,
        accessKey: s3.accessKey,
        secretKey: s3.secretKey,
        pathStyleAccess: true,
        allowPrivateEndpoints: true,
        ...more,
      },
    },
    limits: { workers: 1 },
    jobs: { concurrency: 1 },
  });
  const base = (more: object = {}): string => {
    const folder = makeBase(settingsOf(more));
    bases.add(folder);
    return folder;
  };
  const start = async (folder: string, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
    const server = await startProcess(folder, env);
    servers.push(server);
    return server;
  };
  const kill = async (server: ServerProcess): Promise<void> => {
    server.child.kill('SIGKILL');
    await server.exit;
  };
  const submit = async (server: ServerProcess, ms: string): Promise<string> =>
    json<{ jobId: string }>(await post(`${server.url}${API}/misc/unruly-slow?async=true`, [file(pdf), field('ms', ms)]))
      .jobId;
  const statusOf = async (server: ServerProcess, jobId: string): Promise<string> =>
    json<{ status: string }>(await send(`${server.url}${API}/general/job/${jobId}`)).status;
  const ends = (server: ServerProcess, jobId: string): Promise<void> =>
    until(`job ${jobId} has succeeded`, async () => (await statusOf(server, jobId)) === 'succeeded');
  const holds = (count: number): Promise<void> =>
    until(`the bucket has ${count} objects`, () => s3.objects.size === count);

  beforeEach(async () => {
    s3 = await S3Server.start();
    s3.bucket = 'files';
    s3.now = () => new Date();
    pdf = await makePdf({ pages: 3 });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await kill(server);
    await s3.stop();
    for (const folder of bases) rmSync(folder, { recursive: true, force: true });
    bases.clear();
  });

  it('are answered from there, and leave nothing there or on the disk', async () => {
    const server = await start(base());
    expect(s3.objects.size, 'the check of the start leaves nothing').to.equal(0);
    const { jobId } = json<{ jobId: string }>(
      await post(`${server.url}${API}/general/split-pages?async=true`, [file(pdf)]),
    );
    await ends(server, jobId);
    await holds(3);
    for (const path of s3.objects.keys())
      expect(path).to.match(/^\/files\/quire\/jobs-of-tests\/[0-9a-f-]{36}\/jobs\/[0-9a-f]{32}$/);
    expect(filesBelow(`${server.basePath}/store/blobs/jobs`)).to.deep.equal([]);
    const { files } = json<{ files: { fileId: string; fileSize: number }[] }>(
      await send(`${server.url}${API}/general/job/${jobId}/result/files`),
    );
    for (const { fileId, fileSize } of files) {
      const found = await send(`${server.url}${API}/general/files/${fileId}`);
      expect([found.status, found.body.length, found.body.subarray(0, 5).toString()]).to.deep.equal([
        200,
        fileSize,
        '%PDF-',
      ]);
      const facts = json<{ fileSize: number }>(await send(`${server.url}${API}/general/files/${fileId}/metadata`));
      expect(facts.fileSize).to.equal(fileSize);
    }
    const zip = await send(`${server.url}${API}/general/job/${jobId}/result`);
    expect([zip.status, zip.body.subarray(0, 2).toString()]).to.deep.equal([200, 'PK']);
    const fileId = files[0]?.fileId ?? '';
    const rotated = await post(`${server.url}${API}/general/rotate-pdf`, [
      field('fileId', fileId),
      field('angle', '90'),
    ]);
    expect(rotated.status, 'a result is the input of another call').to.equal(200);
    s3.objects.delete([...s3.objects.keys()].find((path) => path.endsWith(fileId)) ?? '');
    expectProblem(await send(`${server.url}${API}/general/job/${jobId}/result`), 500, 'JOB_FILE_LOST');
    expect((await send(`${server.url}${API}/general/job/${jobId}`, { method: 'DELETE' })).status).to.equal(200);
    await holds(0);
    await until('no temporary file is left', () => filesBelow(`${server.basePath}/tmp/runs`).length === 0);
  });

  it('are refused while the bucket is away, when other calls go on; running ones keep their results', async () => {
    const server = await start(base());
    const running = await submit(server, '1500');
    await until('the job runs', async () => (await statusOf(server, running)) === 'running');
    const { port } = s3;
    await s3.stop();
    const refused = await post(`${server.url}${API}/misc/unruly-slow?async=true`, [file(pdf), field('ms', '1')]);
    expectProblem(refused, 503, 'STORE_DOWN');
    expect(Number(refused.headers['retry-after'])).to.be.greaterThan(0);
    expect((await post(`${server.url}${API}/general/rotate-pdf`, [file(pdf), field('angle', '90')])).status).to.equal(
      200,
    );
    expect((await send(`${server.url}/readyz`)).status).to.equal(200);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await statusOf(server, running)).to.equal('running');
    await s3.listen(port);
    await ends(server, running);
    expect((await send(`${server.url}${API}/general/job/${running}/result`)).status).to.equal(200);
    expect(server.text()).to.contain('cannot be used').and.contain('can be used again').and.not.contain(s3.secretKey);
  });

  it('survive kill -9: none is lost, and nothing stays that no job names', async () => {
    const folder = base();
    let server = await start(folder);
    const running = await submit(server, '2000');
    const waiting = await submit(server, '1');
    await until('the job runs', async () => (await statusOf(server, running)) === 'running');
    await holds(2);
    // A third upload reaches the bucket, and its server dies before it writes the record.
    let arrived = false;
    const hold = Promise.withResolvers<void>();
    s3.hold = async (method) => {
      if (method !== 'PUT') return;
      arrived = true;
      await hold.promise;
    };
    const dying = submit(server, '1').catch(() => undefined);
    await until('the upload arrives', () => arrived);
    await kill(server);
    await dying;
    s3.hold = undefined;
    s3.now = () => new Date(Date.now() - HOURS_MS);
    hold.resolve();
    await holds(3);
    s3.now = () => new Date();
    server = await start(folder);
    for (const jobId of [running, waiting]) {
      await ends(server, jobId);
      expect((await send(`${server.url}${API}/general/job/${jobId}/result`)).status).to.equal(200);
    }
    await holds(2);
  });

  it('stop the start for a wrong bucket or key, with the setting and without the secret', async () => {
    for (const [more, expected] of [
      [{ bucket: 'filse' }, /storage\.s3\.bucket: there is no bucket "filse"/],
      [{ secretKey: 'not that secret' }, /storage\.s3\.accessKey: .*SignatureDoesNotMatch/],
      [{ bucket: '' }, /cluster\.artifactStore: .*storage\.s3\.bucket is empty/],
    ] as const) {
      const server = await start(base(more));
      expect(await server.exit, server.text()).to.equal(1);
      expect(server.text()).to.match(expected).and.not.contain('not that secret').and.not.contain(s3.secretKey);
    }
  });

  it('start while the bucket is away, and run once it is there', async () => {
    const folder = base();
    const { port } = s3;
    await s3.stop();
    const server = await start(folder);
    expect(server.text()).to.contain('does not answer');
    await s3.listen(port);
    await ends(server, await submit(server, '1'));
  });

  describe('on two nodes', () => {
    let url: string;
    let database: TestDatabase;
    before(async function () {
      const found = await mongoTestUrl();
      if (found === undefined) return this.skip();
      url = found;
    });
    beforeEach(() => {
      database = testDatabase(url);
    });
    afterEach(() => database.drop());

    it('are run by one and answered by the other, and are not in MongoDB', async () => {
      const env = { ...database.env(), STORE_SECRET: '0123456789abcdef'.repeat(4) };
      const web = await start(base(), { ...env, CLUSTER_NODE_ROLE: 'web' });
      let worker = await start(base(), { ...env, CLUSTER_NODE_ROLE: 'worker' });
      const done = await submit(web, '1');
      await ends(web, done);
      const running = await submit(web, '60000');
      await until('the job runs', async () => (await statusOf(web, running)) === 'running');
      await kill(worker);
      expect((await send(`${web.url}${API}/general/job/${done}/result`)).status, 'without the worker').to.equal(200);
      const store = await database.open();
      try {
        for await (const { id } of store.blobs.area('jobs').list()) expect.fail(`${id} is in MongoDB`);
      } finally {
        await store.close();
      }
      await send(`${web.url}${API}/general/job/${running}`, { method: 'DELETE' });
      worker = await start(base(), { ...env, CLUSTER_NODE_ROLE: 'worker' });
      await ends(web, await submit(web, '1'));
      expect(new Set([...s3.objects.keys()].map((path) => path.split('/').slice(0, 5).join('/')))).to.have.length(1);
    });

    it('stay where they are when the store is moved to MongoDB', async () => {
      const folder = base();
      const alone = await start(folder);
      const jobId = await submit(alone, '1');
      await ends(alone, jobId);
      await holds(1);
      await kill(alone);
      const moved = await migrate(folder, database.env());
      expect(moved.code, moved.text).to.equal(0);
      const server = await start(folder, database.env());
      expect((await send(`${server.url}${API}/general/job/${jobId}/result`)).status).to.equal(200);
      await send(`${server.url}${API}/general/job/${jobId}`, { method: 'DELETE' });
      await holds(0);
    });
  });
});
