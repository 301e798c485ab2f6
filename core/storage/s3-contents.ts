import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isQuireError, OperationalError, type Outbound, type OutboundCall } from '@quire/registry';
import type { BlobRange, OpenBlob, StoredBlob } from '../store/index.js';
import type { ContentStore, ShownAs } from './contents.js';

/** A bucket and its access keys (`storage.s3.*`). */
export interface S3Settings {
  /** URL of the service; empty for AWS in the region. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string | undefined;
  /** True if the bucket is part of the path and not of the host name. */
  readonly pathStyle: boolean;
  /** True if the service may be in a private network. */
  readonly privateEndpoint: boolean;
  /** Whether the service checks digests of uploads, and whether digests of downloads are checked here. */
  readonly checkRequests: boolean;
  readonly checkAnswers: boolean;
}

export interface S3Deps {
  readonly settings: S3Settings;
  readonly outbound: Pick<Outbound, 'call' | 'download'>;
  /** Folder for contents in transfer. */
  readonly temporaryFolder: string;
}

const ADDRESS_SECONDS = 300;
const PART_LIMIT = 5 * 1024 ** 3;
const WHOLE_MS = 30 * 60_000;
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/**
 * Stores contents as objects `storage/<id>` of a bucket, with the guarded HTTP client and signatures of version 4. An
 * object is stored completely or not at all, and has at most 5 GiB (one PUT). Rejects with REMOTE_UNREACHABLE,
 * REMOTE_TIMEOUT, SERVICE_NOT_SET_UP for an address that may not be called, and REMOTE_ANSWER for an error status.
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
          detail: 'with content that differs from the stored one',
        });
      return await openOnce(target, answer.bytes, range);
    } finally {
      // An open file stays readable after its name was removed.
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
    // Encode spaces as %20: not every service reads + as a space, as forms do.
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
      // If the combined host name is invalid (with an IP address), the URL stays unchanged, and the service would take
      // `storage` for the bucket.
      if (url.hostname !== host)
        throw new OperationalError('SERVICE_NOT_SET_UP', {
          service: 'Storage in an S3 bucket',
          detail:
            'storage.s3.bucket and the host of storage.s3.endpoint do not form a valid host name; set ' +
            'storage.s3.pathStyleAccess to put the bucket into the path',
        });
    }
    const folder = `${url.pathname.replace(/\/+$/, '')}${pathStyle ? `/${encodeURIComponent(bucket)}` : ''}`;
    url.pathname = `${folder}/storage/${id}`;
    return url;
  }

  #refused(status: number): OperationalError {
    return new OperationalError('REMOTE_ANSWER', {
      remote: this.#host,
      detail: `${status}${status === 403 ? ', which means that it rejects the keys of storage.s3' : ''}`,
    });
  }
}

/** The address is a setting, so callers of this server cannot fix it: report it as a problem of the service. */
async function asOperator<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isQuireError(error) && error.code === 'ADDRESS_REFUSED')
      throw new OperationalError(
        'SERVICE_NOT_SET_UP',
        {
          service: 'Storage in an S3 bucket',
          detail:
            'storage.s3.endpoint is not an address that may be called, or is in a private network, which needs ' +
            'storage.s3.allowPrivateEndpoints',
        },
        { cause: error },
      );
    throw error;
  }
}

async function openOnce(path: string, size: number, range: BlobRange | undefined): Promise<OpenBlob> {
  const { start, end } = { start: range?.start ?? 0, end: Math.min(range?.end ?? size - 1, size - 1) };
  if (range !== undefined && (start < 0 || start > end)) throw new RangeError('the range is outside of the content');
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
