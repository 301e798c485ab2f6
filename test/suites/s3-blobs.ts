import { BucketBlobs } from '../../core/artifacts/index.js';
import { createOutbound } from '../../core/network/outbound/index.js';
import { S3Bucket } from '../../core/storage/index.js';
import { silentLog } from './job-harness.js';
import { S3Server } from './s3-server.js';

/** Blobs in the bucket `quire` of an S3 server on this port, and the end of their connections. */
export function blobsOn(
  port: number,
  {
    folder = 'transient/one/',
    temporaryFolder,
    log = silentLog,
    bucket = {},
  }: {
    readonly folder?: string;
    readonly temporaryFolder: string;
    readonly log?: typeof silentLog;
    readonly bucket?: Partial<S3Bucket['settings']>;
  },
): { readonly blobs: BucketBlobs; readonly bucket: S3Bucket; close(): Promise<void> } {
  const outbound = createOutbound({
    get: <T>(path: string): T => (path === 'outbound.allowed' ? ['127.0.0.1'] : '/nowhere') as T,
  });
  const opened = new S3Bucket(
    {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'quire',
      region: S3Server.region,
      accessKey: S3Server.accessKey,
      secretKey: S3Server.secretKey,
      sessionToken: undefined,
      pathStyle: true,
      reach: undefined,
      field: 'storage.s3.endpoint',
      pathStyleField: 'storage.s3.pathStyleAccess',
      checkRequests: true,
      checkAnswers: true,
      ...bucket,
    },
    outbound,
  );
  return {
    bucket: opened,
    blobs: new BucketBlobs({ bucket: opened, folder, temporaryFolder, log }, 'jobs'),
    close: () => outbound.close(),
  };
}
