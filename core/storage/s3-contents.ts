import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isQuireError, OperationalError, type Outbound, type OutboundCall } from '@quire/registry';
import type { BlobRange, OpenBlob, StoredBlob } from '../store/index.js';
import type { ContentStore, ShownAs } from './contents.js';

/** A bucket and who may use it (`storage.s3.*`). */
export interface S3Settings {
  /** Address of the service; empty for that of AWS in the region. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string | undefined;
  /** The bucket in the path and not in the host name. */
  readonly pathStyle: boolean;
  /** The service may be in a private network. */
  readonly privateEndpoint: boolean;
  /** Whether the service checks the digest of what it is sent, and whether what it sends is checked here. */
  readonly checkRequests: boolean;
  readonly checkAnswers: boolean;
}

/** What contents in a bucket stand on. */
export interface S3Deps {
  readonly settings: S3Settings;
  readonly outbound: Pick<Outbound, 'call' | 'download'>;
  /** For contents on their way. */
  readonly temporaryFolder: string;
}

const ADDRESS_SECONDS = 300;
const PART_LIMIT = 5 * 1024 ** 3;
const WHOLE_MS = 30 * 60_000;
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/**
 * Keeps contents as objects `storage/<id>` of a bucket, through the guarded client, with signatures of version 4. An
 * object is there whole or not at all, at most 5 GiB (one PUT). Rejects with REMOTE_UNREACHABLE, REMOTE_TIMEOUT,
 * SERVICE_NOT_SET_UP for an address that may not be called, and REMOTE_ANSWER for a status that is no success.
 */
export class S3Contents implements ContentStore {
  constructor(private readonly deps: S3Deps) {}

  async put(path: string, id: string, signal?: AbortSignal): Promise<StoredBlob> {
    const { size } = await stat(path);
    const digest = this.deps.settings.checkRequests ? await sha256(path, signal) : undefined;
    const headers = {
      'content-type': 'application/octet-stream',
      'x-amz-content-sha256': digest?.toString('hex') ?? UNSIGNED,
      ...(digest === undefined ? {} : { 'x-amz-checksum-sha256': digest.toString('base64') }),
    };
    const call = await this.#signed('PUT', id, headers);
    const { status } = await asOperator(
      this.deps.outbound.call({ ...call, bodyFile: path, limits: { timeoutMs: WHOLE_MS } }, signal),
    );
    if (status !== 200) throw this.#refused(status);
    return { id, size };
  }

  async get(id: string, range?: BlobRange, signal?: AbortSignal): Promise<OpenBlob | undefined> {
    const { outbound, temporaryFolder, settings } = this.deps;
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    const target = join(temporaryFolder, randomUUID());
    try {
      const headers: Record<string, string> = {
        'x-amz-content-sha256': UNSIGNED,
        ...(settings.checkAnswers ? { 'x-amz-checksum-mode': 'ENABLED' } : {}),
      };
      const call = await this.#signed('GET', id, headers);
      const answer = await asOperator(
        outbound.download({ ...call, limits: { timeoutMs: WHOLE_MS, maxBytes: PART_LIMIT } }, target, signal),
      );
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw this.#refused(answer.status);
      const wanted = settings.checkAnswers ? answer.headers['x-amz-checksum-sha256'] : undefined;
      if (wanted !== undefined && (await sha256(target, signal)).toString('base64') !== wanted)
        throw new OperationalError('REMOTE_ANSWER', {
          remote: this.#host,
          detail: 'with a content that is not the one that was kept',
        });
      return await openOnce(target, answer.bytes, range);
    } finally {
      // An open file stays readable without its name.
      await rm(target, { force: true });
    }
  }

  async delete(id: string): Promise<boolean> {
    const call = await this.#signed('DELETE', id, { 'x-amz-content-sha256': UNSIGNED });
    const { status } = await asOperator(this.deps.outbound.call({ ...call, limits: { timeoutMs: 30_000 } }));
    if (status !== 204 && status !== 200 && status !== 404) throw this.#refused(status);
    return status !== 404;
  }

  async address(id: string, { contentType, disposition }: ShownAs): Promise<string> {
    const url = this.#urlOf(id);
    url.searchParams.set('X-Amz-Expires', String(ADDRESS_SECONDS));
    url.searchParams.set('response-content-type', contentType);
    url.searchParams.set('response-content-disposition', disposition);
    // A blank as %20: not every service takes + for one, as forms do.
    return (await this.#sign('GET', url, {}, true)).url.replaceAll('+', '%20');
  }

  async #signed(
    method: 'GET' | 'PUT' | 'DELETE',
    id: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<OutboundCall> {
    const { url, headers: signed } = await this.#sign(method, this.#urlOf(id), headers, false);
    return {
      url,
      method,
      headers: signed,
      field: 'storage.s3.endpoint',
      remote: this.#host,
      ...(this.deps.settings.privateEndpoint ? { reach: 'private' as const } : {}),
    };
  }

  async #sign(
    method: string,
    url: URL,
    headers: Readonly<Record<string, string>>,
    signQuery: boolean,
  ): Promise<{ readonly url: string; readonly headers: Record<string, string> }> {
    const { AwsV4Signer } = await import('aws4fetch');
    const { accessKey, secretKey, sessionToken, region } = this.deps.settings;
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region,
      signQuery,
    });
    const signed = await signer.sign();
    return { url: signed.url.href, headers: Object.fromEntries(signed.headers) };
  }

  get #host(): string {
    return this.#urlOf('').host;
  }

  #urlOf(id: string): URL {
    const { endpoint, bucket, region, pathStyle } = this.deps.settings;
    const url = new URL(endpoint === '' ? `https://s3.${region}.amazonaws.com` : endpoint);
    if (!pathStyle) {
      const host = `${bucket}.${url.hostname}`.toLowerCase();
      url.hostname = host;
      // Where both are no host name together (an IP address), the URL stays as it was, and `storage` would be taken for
      // the bucket.
      if (url.hostname !== host)
        throw new OperationalError('SERVICE_NOT_SET_UP', {
          service: 'Storage in a bucket',
          detail:
            'storage.s3.bucket and the host of storage.s3.endpoint are no host name together; ' +
            'storage.s3.pathStyleAccess puts the bucket into the path',
        });
    }
    const folder = `${url.pathname.replace(/\/+$/, '')}${pathStyle ? `/${encodeURIComponent(bucket)}` : ''}`;
    url.pathname = `${folder}/storage/${id}`;
    return url;
  }

  #refused(status: number): OperationalError {
    return new OperationalError('REMOTE_ANSWER', {
      remote: this.#host,
      detail: `${status}${status === 403 ? ', which is how it refuses the keys of storage.s3' : ''}`,
    });
  }
}

/** The address is a setting: that it may not be called is nothing the caller of this server could put right. */
async function asOperator<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isQuireError(error) && error.code === 'ADDRESS_REFUSED')
      throw new OperationalError(
        'SERVICE_NOT_SET_UP',
        {
          service: 'Storage in a bucket',
          detail:
            'storage.s3.endpoint leads to a private network, which needs storage.s3.allowPrivateEndpoints, or ' +
            'is no address to be called',
        },
        { cause: error },
      );
    throw error;
  }
}

async function openOnce(path: string, size: number, range: BlobRange | undefined): Promise<OpenBlob> {
  const { start, end } = { start: range?.start ?? 0, end: Math.min(range?.end ?? size - 1, size - 1) };
  if (range !== undefined && (start < 0 || start > end))
    throw new RangeError('the range selects no byte of the content');
  if (size === 0) return { stream: Readable.from([]), size };
  const file = await open(path, 'r');
  return { stream: createReadStream('', { fd: file, start, end }), size };
}

async function sha256(path: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, {
    highWaterMark: 256 * 1024,
    ...(signal === undefined ? {} : { signal }),
  }))
    hash.update(chunk as Buffer);
  return hash.digest();
}
