import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { OperationalError, type OutboundAnswer, type OutboundCall, type OutboundDownload } from '@quire/registry';
import type { CoreCall, CoreOutbound } from '../network/outbound/index.js';
import { parseListing, type ListedPage } from './s3-listing.js';

/** A bucket and its access keys. */
export interface BucketSettings {
  /** URL of the service; empty for AWS in the region. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string | undefined;
  /** True if the bucket is part of the path and not of the host name. */
  readonly pathStyle: boolean;
  /** Networks that the service may be in; undefined: the public internet and `outbound.allowed`. */
  readonly reach: OutboundCall['reach'];
  /** The settings or options with the endpoint and with `pathStyle`, for errors. */
  readonly field: string;
  readonly pathStyleField: string;
  /** Whether the service checks digests of uploads, and whether digests of downloads are checked here. */
  readonly checkRequests: boolean;
  readonly checkAnswers: boolean;
}

/** A request for one object or, with key '', for the bucket. */
interface BucketRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'HEAD';
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** Metadata of an object that is uploaded with it (`x-amz-meta-…`), and conditions. */
export interface PutOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of the largest object that one request can transfer. */
export const OBJECT_LIMIT = 5 * 1024 ** 3;
const WHOLE_MS = 30 * 60_000;
const SHORT_MS = 30_000;
const ADDRESS_SECONDS = 300;
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** `code`: of an error, in words of the service such as `AccessDenied`. */
interface Listed {
  readonly status: number;
  readonly page?: ListedPage;
  readonly code?: string;
}

/**
 * Requests to one bucket, with the guarded HTTP client and signatures of version 4. Rejects with REMOTE_UNREACHABLE,
 * REMOTE_TIMEOUT, ADDRESS_REFUSED, and SERVICE_NOT_SET_UP for a bucket that cannot be part of the host name; every
 * status is an answer.
 */
export class S3Bucket {
  /** Keys of signatures, which are the same for a day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(
    readonly settings: BucketSettings,
    private readonly outbound: Pick<CoreOutbound, 'call' | 'download'>,
  ) {}

  /** Stores a file of this server's disk, completely or not at all; at most 5 GiB. */
  async put(key: string, path: string, { headers = {}, signal }: PutOptions = {}): Promise<OutboundAnswer> {
    const digest = this.settings.checkRequests ? await fileDigest(path, signal) : undefined;
    const call = await this.#signed({
      method: 'PUT',
      key,
      headers: {
        'content-type': 'application/octet-stream',
        ...headers,
        'x-amz-content-sha256': digest?.toString('hex') ?? UNSIGNED,
        ...(digest === undefined ? {} : { 'x-amz-checksum-sha256': digest.toString('base64') }),
      },
    });
    // Before it is streamed: a missing file is no failure of the service.
    await stat(path);
    return this.outbound.call({ ...call, bodyFile: path, limits: { timeoutMs: WHOLE_MS } }, signal);
  }

  /**
   * Writes an object to a new file, or the part that a `range` header names; there is no file after a status other than
   * 200 and 206. Rejects with REMOTE_ANSWER when the content is not the one that was stored.
   */
  async download(key: string, target: string, { headers = {}, signal }: PutOptions = {}): Promise<OutboundDownload> {
    const call = await this.#signed({
      method: 'GET',
      key,
      headers: { ...headers, ...(this.settings.checkAnswers ? { 'x-amz-checksum-mode': 'ENABLED' } : {}) },
    });
    const limits = { timeoutMs: WHOLE_MS, maxBytes: OBJECT_LIMIT };
    try {
      const answer = await this.outbound.download({ ...call, limits }, target, signal);
      if (answer.status !== 200 && answer.status !== 206) await rm(target, { force: true });
      const wanted = this.settings.checkAnswers ? answer.headers['x-amz-checksum-sha256'] : undefined;
      // A digest with a number of parts is one of digests, not of the content.
      if (answer.status !== 200 || wanted === undefined || wanted.includes('-')) return answer;
      if ((await fileDigest(target, signal)).toString('base64') === wanted) return answer;
      throw new OperationalError('REMOTE_ANSWER', {
        remote: this.host,
        detail: 'with content that differs from the stored one',
      });
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }

  /** Deletes an object; `headers` may have conditions. */
  async delete(key: string, headers: Readonly<Record<string, string>> = {}, signal?: AbortSignal) {
    return this.#short({ method: 'DELETE', key, headers }, signal);
  }

  /** Returns the head of an object: its ETag, size and metadata as headers. */
  async head(key: string, signal?: AbortSignal): Promise<OutboundAnswer> {
    return this.#short({ method: 'HEAD', key }, signal);
  }

  /** Lists up to `most` objects whose keys begin with the prefix, in the order of their keys. */
  async list(
    {
      prefix,
      after,
      most = 1000,
    }: { readonly prefix: string; readonly after?: string | undefined; readonly most?: number },
    signal?: AbortSignal,
  ): Promise<Listed> {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': String(most),
      prefix,
      ...(after === undefined ? {} : { 'continuation-token': after }),
    };
    const { status, body } = await this.#short({ method: 'GET', key: '', query }, signal);
    const xml = Buffer.from(body).toString('utf8');
    if (status === 200) return { status, page: await parseListing(xml, this.host) };
    const code = /<Code>([A-Za-z]{1,100})<\/Code>/.exec(xml)?.[1];
    return code === undefined ? { status } : { status, code };
  }

  /** Returns a URL that is valid for five minutes and returns the object to anybody. */
  async address(key: string, query: Readonly<Record<string, string>>): Promise<string> {
    const url = this.#urlOf(key);
    for (const [name, value] of Object.entries({ 'X-Amz-Expires': String(ADDRESS_SECONDS), ...query }))
      url.searchParams.set(name, value);
    // Encode spaces as %20: not every service reads + as a space, as forms do.
    return (await this.#sign('GET', url, {}, true)).url.replaceAll('+', '%20');
  }

  get host(): string {
    return this.#urlOf('').host;
  }

  async #short(request: BucketRequest, signal: AbortSignal | undefined): Promise<OutboundAnswer> {
    return this.outbound.call({ ...(await this.#signed(request)), limits: { timeoutMs: SHORT_MS } }, signal);
  }

  async #signed({ method, key, headers = {}, query = {} }: BucketRequest): Promise<CoreCall> {
    const address = this.#urlOf(key);
    address.search = Object.entries(query)
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .join('&');
    const { url, headers: signed } = await this.#sign(
      method,
      address,
      { 'x-amz-content-sha256': UNSIGNED, ...headers },
      false,
    );
    const { field, reach } = this.settings;
    const rules = reach === undefined ? {} : { reach };
    return { url, method, headers: signed, field, remote: this.host, keepsConnection: true, ...rules };
  }

  async #sign(
    method: string,
    url: URL,
    headers: Readonly<Record<string, string>>,
    signQuery: boolean,
  ): Promise<{ readonly url: string; readonly headers: Record<string, string> }> {
    const { AwsV4Signer } = await import('aws4fetch');
    const { accessKey, secretKey, sessionToken, region } = this.settings;
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
      cache: this.#signingKeys,
    });
    const signed = await signer.sign();
    return { url: signed.url.href, headers: Object.fromEntries(signed.headers) };
  }

  #urlOf(key: string): URL {
    const { endpoint, bucket, region, pathStyle, field, pathStyleField } = this.settings;
    const url = new URL(endpoint === '' ? `https://s3.${region}.amazonaws.com` : endpoint);
    if (!pathStyle) {
      const host = `${bucket}.${url.hostname}`.toLowerCase();
      url.hostname = host;
      // If the combined host name is invalid (with an IP address), the URL stays unchanged, and the service would take
      // the first part of the key for the bucket.
      if (url.hostname !== host)
        throw new OperationalError('SERVICE_NOT_SET_UP', {
          service: 'The S3 bucket',
          detail:
            `the bucket and the host of ${field} do not form a valid host name; set ${pathStyleField} to put the bucket ` +
            'into the path',
        });
    }
    const folder = `${url.pathname.replace(/\/+$/, '')}${pathStyle ? `/${encodeURIComponent(bucket)}` : ''}`;
    url.pathname = `${folder}/${key.split('/').map(encoded).join('/')}`;
    return url;
  }
}

/** Percent-encoded as signatures of version 4 have it: all but letters, digits and `-._~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

async function fileDigest(path: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, {
    highWaterMark: 256 * 1024,
    ...(signal === undefined ? {} : { signal }),
  }))
    hash.update(chunk as Buffer);
  return hash.digest();
}
