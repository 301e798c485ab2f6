import { Readable } from 'node:stream';
import type { Logger } from '@quire/registry';
import { isQuireError, StartupError } from '@quire/registry/errors';
import { asOperator, type S3Bucket } from '../storage/index.js';
import type { Blobs } from '../store/index.js';
import { refusedStatus } from './bucket-blobs.js';

export interface CheckedBucket {
  readonly bucket: S3Bucket;
  /** The job files in it. */
  readonly blobs: Blobs;
  /** Beginning of all keys. */
  readonly folder: string;
  readonly log: Logger;
}

const WRONG_KEYS: ReadonlySet<string> = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'InvalidToken']);
const WRONG_REGION: ReadonlySet<string> = new Set([
  'AuthorizationHeaderMalformed',
  'PermanentRedirect',
  'IllegalLocationConstraintException',
]);

/**
 * Lists, writes, reads and deletes once, as jobs will. Throws SETTINGS_INVALID, which names the setting and never a
 * key, when the service refuses that. A service that does not answer is logged: it may be back before a job needs it.
 */
export async function checkBucket({ bucket, blobs, folder, log }: CheckedBucket): Promise<void> {
  const refusal = (await refusalOf(bucket, folder)) ?? (await refusalOfWrites(bucket, blobs, folder));
  if (refusal === undefined) return;
  if (refusal !== 'away') throw refusal;
  log.warn(
    { bucket: bucket.settings.bucket, host: bucket.host },
    'the bucket of job files (storage.s3.endpoint) does not answer; jobs are refused until it does',
  );
}

/** What the operator has to change, or that there was no usable answer. */
type Refusal = StartupError | 'away' | undefined;

async function refusalOfWrites(bucket: S3Bucket, blobs: Blobs, folder: string): Promise<Refusal> {
  try {
    // Under the name of a job file, so that the upkeep finds it if this process is killed now.
    const { id } = await blobs.put(Readable.from([Buffer.from('check')]));
    (await blobs.get(id))?.stream.destroy();
    await blobs.delete(id);
    return undefined;
  } catch (error) {
    const status = refusedStatus(error);
    if (status === undefined || status >= 500 || status === 429) return 'away';
    return refused(
      'storage.s3.accessKey',
      `the key may list the bucket "${bucket.settings.bucket}" at ${bucket.host}, but not put, get and delete ` +
        `objects whose keys begin with "${folder}" (${status}; cluster.s3.keyPrefix)`,
    );
  }
}

async function refusalOf(bucket: S3Bucket, folder: string): Promise<Refusal> {
  const { bucket: name, region } = bucket.settings;
  try {
    const { status, code = '' } = await asOperator(bucket.list({ prefix: folder, most: 1 }));
    if (status === 200) return undefined;
    if (status >= 500 || status === 429) return 'away';
    const said = code === '' ? `${status}` : `${status} ${code}`;
    if (WRONG_REGION.has(code) || status === 301)
      return refused(
        'storage.s3.region',
        `${bucket.host} says that the bucket "${name}" is not in "${region}" (${said})`,
      );
    if (status === 404) return refused('storage.s3.bucket', `there is no bucket "${name}" at ${bucket.host} (${said})`);
    if (WRONG_KEYS.has(code) || status === 401)
      return refused(
        'storage.s3.accessKey',
        `${bucket.host} rejects this key or storage.s3.secretKey, which belongs to it (${said})`,
      );
    if (status === 403)
      return refused(
        'storage.s3.accessKey',
        `${bucket.host} does not let this key list the bucket "${name}" (${said}). Check storage.s3.bucket, ` +
          'storage.s3.secretKey and the permissions of the key',
      );
    return refused('storage.s3.endpoint', `${bucket.host} does not answer as an S3 service does (${said})`);
  } catch (error) {
    if (!isQuireError(error)) throw error;
    if (error.code === 'REMOTE_UNREACHABLE' || error.code === 'REMOTE_TIMEOUT') return 'away';
    return refused('storage.s3.endpoint', error.message);
  }
}

function refused(where: string, detail: string): StartupError {
  return new StartupError('SETTINGS_INVALID', { where, detail });
}
