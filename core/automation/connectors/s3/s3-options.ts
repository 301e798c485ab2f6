import Joi from 'joi';
import { isQuireError, type FieldFault, type Principal, type SavedConnections } from '@quire/registry';
import { S3Bucket } from '../../../storage/index.js';
import type { ConnectorDeps } from '../deps.js';
import { invalid, unreachable, type Side } from '../faults.js';
import type { ConnectorContext, ConnectorOptions } from '../model.js';

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

/** As they are chosen: with the number of a saved connection, or with everything else. */
export interface ChosenOptions extends Partial<BucketOptions> {
  readonly connectionId?: number;
  readonly prefix: string;
}

/** As `connectionId`: no saved connection. It is not stored. */
const NONE = 0;

/** What a bucket is opened with; saved connections have these settings too. */
const ownFields = {
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

/** Settings of a saved connection of type S3. */
const connectionSettings = Joi.object<Omit<BucketOptions, 'prefix'>>(ownFields);

/** A field that counts only without a saved connection. */
function withoutConnection(field: Joi.Schema): Joi.Schema {
  const when = { connectionId: NONE };
  const { presence } = (field.describe() as { readonly flags?: { readonly presence?: string } }).flags ?? {};
  const needed = presence === 'required';
  return field
    .optional()
    .when('connectionId', {
      is: NONE,
      then: needed ? Joi.required() : Joi.optional(),
      otherwise: Joi.any().strip(),
    })
    .meta({ shown: { when, ...(needed ? { requiredWhen: when } : {}) } });
}

/** Schemas of the options of sources and destinations. */
export const bucketFields = {
  connectionId: Joi.number()
    .integer()
    .min(NONE)
    .max(Number.MAX_SAFE_INTEGER)
    .default(NONE)
    .when('.', { is: Joi.valid(NONE), then: Joi.any().strip() })
    .description('Number of a saved S3 connection, in place of bucket, region, endpoint and keys; 0: none')
    .meta({ shown: { label: 'Saved connection', help: '', widget: 'connection' } }),
  ...(Object.fromEntries(Object.entries(ownFields).map(([name, field]) => [name, withoutConnection(field)])) as Record<
    keyof typeof ownFields,
    Joi.Schema
  >),
  prefix: Joi.string()
    .allow('')
    .max(900)
    .default('')
    .custom((text: string) => text.replace(/^\//, ''))
    .pattern(/(^|\/)\./, { invert: true, name: 'hidden' })
    .description('Beginning of the keys, such as invoices/in/; one leading slash is dropped')
    .meta({ shown: { label: 'Beginning of the keys', help: 'For example invoices/in/' } }),
};

/**
 * Options with those of the saved connection that they name, which the principal must be allowed to use. Throws
 * SOURCE_INVALID or DESTINATION_INVALID.
 */
export async function withSavedConnection<T extends ChosenOptions>(
  side: Side,
  options: T,
  connections: SavedConnections,
  { principal }: Pick<ConnectorContext, 'principal'>,
): Promise<T & BucketOptions> {
  const { connectionId } = options;
  // The schema requires the other options without one.
  if (connectionId === undefined) return options as T & BucketOptions;
  const { name, config } = await connections.open(principal, connectionId, 'S3').catch((error: unknown) => {
    if (!isQuireError(error) || error.code !== 'CONNECTION_UNUSABLE') throw error;
    throw invalid(side, 'connectionId', `cannot be used: ${String(error.data['detail'])}`, error);
  });
  const { value, error } = connectionSettings.validate(config, { stripUnknown: true });
  if (error !== undefined) throw invalid(side, 'connectionId', `"${name}" is not complete: ${error.message}`, error);
  return { ...options, ...value };
}

/** Reads the settings of a saved connection; faults point into them. */
export function readConnection(config: Readonly<Record<string, unknown>>): {
  readonly settings: Omit<BucketOptions, 'prefix'>;
  readonly faults: readonly FieldFault[];
} {
  const { value, error } = connectionSettings.validate(config, { stripUnknown: true, abortEarly: false });
  const faults = (error?.details ?? []).map(({ path, message }) => ({
    pointer: `/${path.join('/')}`,
    detail: message.replace(/^"[^"]*" /, ''),
  }));
  return { settings: value as Omit<BucketOptions, 'prefix'>, faults };
}

/** Options with the bucket of the saved connection that they name, if the principal may use it; for comparisons. */
export async function withNamedBucket(
  options: ConnectorOptions,
  connections: SavedConnections,
  principal: Principal,
): Promise<ConnectorOptions> {
  const id = Number(options['connectionId'] ?? NONE);
  if (!(id > NONE)) return options;
  try {
    const { settings, faults } = readConnection((await connections.open(principal, id, 'S3')).config);
    return faults.length > 0 ? options : { ...options, bucket: settings.bucket, endpoint: settings.endpoint };
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return options;
  }
}

/** Runs work with a bucket. What is wrong with the settings of a saved connection is reported for the connection. */
export async function blamingConnection<T>(side: Side, options: ChosenOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = `${side}_INVALID`;
    const isOwn = isQuireError(error) && error.code === code && options.connectionId !== undefined;
    if (!isOwn || error.errors.every(({ pointer }) => kept.has(pointer))) throw error;
    throw invalid(side, 'connectionId', `does not work: ${error.message.replace(/\.$/, '')}`, error);
  }
}

const kept: ReadonlySet<string> = new Set(['/connectionId', '/prefix', '/mode']);

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
