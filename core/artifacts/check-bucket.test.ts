import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLog } from '../../test/suites/job-harness.js';
import { blobsOn } from '../../test/suites/s3-blobs.js';
import { S3Server } from '../../test/suites/s3-server.js';
import type { S3Bucket } from '../storage/index.js';
import { checkBucket } from './check-bucket.js';
import { keyFolder } from './key-folder.js';

describe('The bucket of job files at the start', () => {
  let server: S3Server;
  let folder: string;
  let warned: string[];
  const log = { ...silentLog, warn: (_data: object, text: string) => void warned.push(text) };
  beforeEach(async () => {
    server = await S3Server.start();
    server.bucket = 'quire';
    warned = [];
    folder = await mkdtemp(join(tmpdir(), 'quire-check-'));
  });
  afterEach(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const check = async (bucket: Partial<S3Bucket['settings']> = {}, port = server.port): Promise<string> => {
    const opened = blobsOn(port, { temporaryFolder: folder, bucket });
    try {
      await checkBucket({ ...opened, folder: 'transient/one/', log });
      return '';
    } catch (error) {
      expect(error).to.have.property('code', 'SETTINGS_INVALID');
      return (error as Error).message;
    } finally {
      await opened.close();
    }
  };

  it('is tried with all that jobs do, and nothing stays in it', async () => {
    expect(await check()).to.equal('');
    expect(new Set(server.requests.map((request) => request.split(' ')[0]))).to.include.all.keys(
      'GET',
      'PUT',
      'DELETE',
    );
    expect([server.objects.size, warned.length]).to.deep.equal([0, 0]);
  });

  it('must exist and accept the keys; the error names the setting, and no secret', async () => {
    const errors = [
      [
        await check({ bucket: 'typo' }),
        /^storage\.s3\.bucket: there is no bucket "typo" at 127\.0\.0\.1:\d+ \(404 NoSuchBucket\)/,
      ],
      [
        await check({ accessKey: 'AKOTHER' }),
        /^storage\.s3\.accessKey: .* rejects this key .*\(403 InvalidAccessKeyId\)/,
      ],
      [
        await check({ secretKey: 'wrong secret' }),
        /^storage\.s3\.accessKey: .*storage\.s3\.secretKey.*\(403 SignatureDoesNotMatch\)/,
      ],
      [await check({ region: 'mars-1' }), /^storage\.s3\.region: .*"mars-1"/],
      [await check({ pathStyle: false }), /^storage\.s3\.endpoint: .*storage\.s3\.pathStyleAccess/],
      [
        await check({ endpoint: 'http://10.0.0.1:9000' }),
        /^storage\.s3\.endpoint: .*storage\.s3\.allowPrivateEndpoints/,
      ],
    ] as const;
    for (const [error, expected] of errors) {
      expect(error).to.match(expected);
      expect(error).to.not.contain('wrong secret').and.not.contain(server.secretKey);
    }
    server.denies = true;
    expect(await check()).to.match(/^storage\.s3\.accessKey: .*does not let this key list/);
    expect(server.objects.size).to.equal(0);
  });

  it('must let the keys write, not only list', async () => {
    server.deniesMethods = ['PUT'];
    expect(await check()).to.match(
      /^storage\.s3\.accessKey: .*may list .* but not put, get and delete .*"transient\/one\/"/,
    );
  });

  it('may be away: the server starts, and warns', async () => {
    server.failWith = 503;
    expect(await check()).to.equal('');
    const { port } = server;
    await server.stop();
    expect(await check({}, port)).to.equal('');
    expect(warned).to.have.length(2);
    expect(warned[0]).to.contain('storage.s3.endpoint');
    await server.listen(port);
  });
});

describe('The folder of job files in a bucket', () => {
  it('begins with the prefix and has the installation, so that two stores never share one', () => {
    for (const [prefix, folder] of [
      ['transient/', 'transient/id/'],
      ['transient', 'transient/id/'],
      ['/a/b c/', 'a/b c/id/'],
      ['', 'id/'],
      ['/', 'id/'],
    ] as const)
      expect(keyFolder(prefix, 'id')).to.equal(folder);
  });

  it('refuses a prefix that would lead to another bucket, or is too long', () => {
    for (const prefix of ['../other', 'a/../../other/', 'a/./b', 'a//b', 'a\nb', 'a'.repeat(901)])
      expect(() => keyFolder(prefix, 'id'), prefix).to.throw(/cluster\.s3\.keyPrefix/);
  });
});
