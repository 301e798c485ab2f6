import Joi from 'joi';
import { isQuireError } from '@quire/registry';
import { S3Bucket } from '../../../storage/index.js';
import type { ConnectorDeps } from '../deps.js';
import { invalid, unreachable, type Side } from '../faults.js';

/** Options of buckets, the same for sources and destinations. */
export interface BucketOptions {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly prefix: string;
  readonly pathStyle: boolean;
}

/** Options that are secret. */
export const bucketSecrets: readonly string[] = ['secretAccessKey'];

/** Schemas of these options. */
export const bucketFields = {
  bucket: Joi.string()
    .required()
    .pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/, 'a name of a bucket')
    .description('Name of the bucket')
    .meta({ shown: { help: '' } }),
  region: Joi.string()
    .pattern(/^[A-Za-z0-9-]{1,60}$/, 'a name of a region')
    .default('us-east-1')
    .description('Region of the bucket')
    .meta({ shown: { help: '' } }),
  endpoint: Joi.string()
    .allow('')
    .max(2000)
    .default('')
    .description(
      'http or https URL of the service; empty for AWS. A private network needs policies.allowPrivateS3Endpoints',
    ),
  accessKeyId: Joi.string()
    .required()
    .max(256)
    .description('Id of the access key')
    .meta({ shown: { help: '' } }),
  secretAccessKey: Joi.string()
    .required()
    .max(1024)
    .description('The secret access key')
    .meta({ shown: { help: '' } }),
  prefix: Joi.string()
    .allow('')
    .max(900)
    .default('')
    .custom((text: string) => text.replace(/^\//, ''))
    .pattern(/(^|\/)\./, { invert: true, name: 'hidden' })
    .description('Beginning of the keys, such as invoices/in/; one leading slash is dropped')
    .meta({ shown: { label: 'Beginning of the keys', help: 'For example invoices/in/' } }),
  pathStyle: Joi.boolean()
    .default((options: { readonly endpoint?: string }) => (options.endpoint ?? '') !== '')
    .description(
      'True if the bucket is part of the path and not of the host name; by default with an endpoint of your own',
    )
    .meta({
      shown: {
        label: 'Bucket in the path',
        help: 'For services that do not have it in the host name. Always so with an endpoint of your own.',
        advanced: true,
      },
    }),
};

/** Opens the bucket of a source or destination. Throws SOURCE_INVALID or DESTINATION_INVALID. */
export function openBucket(
  side: Side,
  options: BucketOptions,
  { settings, outbound }: Pick<ConnectorDeps, 'settings' | 'outbound'>,
): S3Bucket {
  const reach = settings.get('policies.allowPrivateS3Endpoints') ? 'private' : 'public';
  const bucket = new S3Bucket(
    {
      endpoint: options.endpoint,
      bucket: options.bucket,
      region: options.region,
      accessKey: options.accessKeyId,
      secretKey: options.secretAccessKey,
      sessionToken: undefined,
      pathStyle: options.pathStyle,
      reach,
      field: 'endpoint',
      pathStyleField: 'pathStyle',
      checkRequests: true,
      checkAnswers: true,
    },
    outbound,
  );
  try {
    outbound.check(options.endpoint === '' ? `https://${bucket.host}/` : options.endpoint, 'endpoint', reach);
    return bucket;
  } catch (error) {
    if (isQuireError(error))
      throw invalid(side, 'endpoint', `cannot be used: ${error.message.replace(/\.$/, '')}`, error);
    throw error;
  }
}

/** The error for a status of the service: which option is wrong, or that it should be tried again. */
export function refusedStatus(side: Side, status: number, host: string): Error {
  if (status === 403)
    return invalid(side, 'accessKeyId', `was rejected by ${host} (403), or may not do this in the bucket`);
  if (status === 404) return invalid(side, 'bucket', `does not exist at ${host} (404)`);
  if (status === 301 || status === 307 || status === 400)
    return invalid(side, 'region', `seems to be wrong: ${host} answered ${status}`);
  return unreachable(side, `${host} answered ${status}`);
}

/** Runs a request; an address that may not be called is reported as a fault of the endpoint. */
export async function asked<T>(side: Side, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isQuireError(error) && error.code === 'ADDRESS_REFUSED')
      throw invalid(side, 'endpoint', `cannot be called: ${error.message.replace(/\.$/, '')}`, error);
    if (isQuireError(error) && error.code === 'SERVICE_NOT_SET_UP')
      throw invalid(side, 'pathStyle', error.message.replace(/\.$/, ''), error);
    throw error;
  }
}
