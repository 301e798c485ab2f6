import { join } from 'node:path';
import type { Outbound } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import type { Settings } from '../settings/index.js';
import { S3Bucket } from './s3-bucket.js';
import { S3Contents } from './s3-contents.js';

/** Returns the place of files of users in the bucket of the settings. Throws as `bucketOf`. */
export function openBucket(settings: Settings, outbound: Outbound): S3Contents {
  return new S3Contents({
    bucket: bucketOf(settings, outbound, 'Storage in an S3 bucket'),
    temporaryFolder: join(settings.paths.tmp, 'bucket'),
  });
}

/**
 * Returns the bucket of the settings `storage.s3.*`. Throws SERVICE_NOT_SET_UP, which names the service, without a
 * bucket or its keys.
 */
export function bucketOf(settings: Settings, outbound: Outbound, service: string): S3Bucket {
  const own = settings.get('storage.s3.accessKey') !== '';
  const [accessKey, secretKey] = own
    ? [settings.get('storage.s3.accessKey'), settings.get('storage.s3.secretKey')]
    : [settings.variable('AWS_ACCESS_KEY_ID') ?? '', settings.variable('AWS_SECRET_ACCESS_KEY') ?? ''];
  const wrong = (detail: string): OperationalError => new OperationalError('SERVICE_NOT_SET_UP', { service, detail });
  const bucket = settings.get('storage.s3.bucket');
  const endpoint = settings.get('storage.s3.endpoint');
  if (bucket === '') throw wrong('storage.s3.bucket is empty');
  if (accessKey === '' || secretKey === '')
    throw wrong(
      'storage.s3.accessKey and storage.s3.secretKey are empty, and so are AWS_ACCESS_KEY_ID and ' +
        'AWS_SECRET_ACCESS_KEY',
    );
  if (endpoint !== '' && !/^https?:\/\//.test(endpoint))
    throw wrong('storage.s3.endpoint is not an address that begins with https:// or http://');
  return new S3Bucket(
    {
      endpoint,
      bucket,
      region: settings.get('storage.s3.region'),
      accessKey,
      secretKey,
      sessionToken: own ? undefined : settings.variable('AWS_SESSION_TOKEN'),
      pathStyle: settings.get('storage.s3.pathStyleAccess'),
      reach: settings.get('storage.s3.allowPrivateEndpoints') ? 'private' : undefined,
      field: 'storage.s3.endpoint',
      pathStyleField: 'storage.s3.pathStyleAccess',
      checkRequests: settings.get('storage.s3.requestChecksumCalculation') === 'WHEN_SUPPORTED',
      checkAnswers: settings.get('storage.s3.responseChecksumValidation') === 'WHEN_SUPPORTED',
    },
    outbound,
  );
}
