import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ANY_DAY = new Date('2026-01-31T10:00:00.000Z');

/** An object; `checksum` is the one that was sent. */
interface StoredObject {
  readonly body: Buffer;
  readonly checksum: string | undefined;
  readonly changedAt?: Date;
  readonly etag?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface S3Answer {
  readonly status: number;
  readonly body?: Buffer | string;
  readonly headers?: Record<string, string>;
}

/**
 * A service on loopback that stores objects as S3 does, and accepts only requests signed with its key (AWS Signature
 * Version 4, as Amazon documents it for S3).
 */
export class S3Server {
  static readonly accessKey = 'AKTESTKEY';
  static readonly secretKey = 'the+secret/of=this test';
  static readonly region = 'eu-test-1';
  readonly accessKey = S3Server.accessKey;
  readonly secretKey = S3Server.secretKey;
  readonly region = S3Server.region;
  /** Objects by path. */
  readonly objects = new Map<string, StoredObject>();
  readonly requests: string[] = [];
  /** How often somebody has connected. */
  connections = 0;
  /** Answers every request with this status instead. */
  failWith: number | undefined;
  /** Knows the key, and permits it nothing. */
  denies = false;
  /** Methods that the key may not use. */
  deniesMethods: readonly string[] = [];
  /** Stores the next object and cuts the connection instead of an answer. */
  cutOffNext = false;
  /** What it does with the condition of a PUT or DELETE; older services answer 501 or 400, or do not look at it. */
  conditions: 'known' | 'unknown' | 'refused' | 'ignored' = 'known';
  /** Answers so many conditional PUTs with 409 (ConditionalRequestConflict). */
  conflicts = 0;
  /** Resolves when a request may be answered; for requests that meet. */
  hold: ((method: string) => Promise<void>) | undefined;
  /** Objects that a request has replaced, by path, in the order of those requests. */
  readonly replaced: { readonly path: string; readonly body: Buffer }[] = [];
  /** Objects in each page of a listing: few, so that every listing of a test has several. */
  pageSize = 2;
  /** The only bucket there is; undefined: every name is one. */
  bucket: string | undefined;
  /** Time of objects that are put. */
  now: () => Date = () => ANY_DAY;
  /** Content that a GET returns instead of the stored one. */
  lie: Buffer | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<S3Server> {
    const server = createServer();
    const service = new S3Server(server);
    server.on('connection', () => (service.connections += 1));
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        await service.hold?.(request.method ?? '');
        const { status, body = '', headers = {} } = service.#answer(request, Buffer.concat(chunks));
        if (service.cutOffNext && request.method === 'PUT') {
          service.cutOffNext = false;
          response.destroy();
          return;
        }
        response.writeHead(status, headers).end(body);
      });
    });
    await service.listen(0);
    return service;
  }

  /** Listens on a port of loopback; after `stop`, on the port that it had, with the objects that it has. */
  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Puts an object there without a request. */
  put(path: string, body: Buffer): void {
    this.objects.set(path, newObject(body, {}, this.now()));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  #answer(request: IncomingMessage, sent: Buffer): S3Answer {
    const url = new URL(request.url ?? '/', this.url);
    this.requests.push(`${request.method} ${url.pathname}`);
    if (this.failWith !== undefined) return { status: this.failWith };
    const refusal = this.#refusal(request, url, sent);
    if (refusal === 'region') return { status: 400, body: errorBody('AuthorizationHeaderMalformed') };
    if (refusal !== undefined) return { status: 403, body: errorBody(refusal) };
    if (this.denies || this.deniesMethods.includes(request.method ?? ''))
      return { status: 403, body: errorBody('AccessDenied') };
    if (this.bucket !== undefined && url.pathname.split('/')[1] !== this.bucket)
      return { status: 404, body: errorBody('NoSuchBucket') };
    if (url.searchParams.get('list-type') === '2') return this.#list(url);
    const kept = this.objects.get(url.pathname);
    const refused = this.#condition(request, kept);
    if (refused !== undefined) return { status: refused };
    if (request.method === 'PUT') {
      if (kept !== undefined) this.replaced.push({ path: url.pathname, body: kept.body });
      this.objects.set(url.pathname, newObject(sent, request.headers, this.now()));
      return { status: 200 };
    }
    if (request.method === 'DELETE') {
      this.objects.delete(url.pathname);
      return { status: 204 };
    }
    if (kept === undefined) return { status: 404 };
    const headers: Record<string, string> = {
      'content-type': url.searchParams.get('response-content-type') ?? 'application/octet-stream',
      etag: kept.etag ?? '',
      ...kept.metadata,
      ...(url.searchParams.has('response-content-disposition')
        ? { 'content-disposition': url.searchParams.get('response-content-disposition') ?? '' }
        : {}),
      ...(request.headers['x-amz-checksum-mode'] === 'ENABLED' && kept.checksum !== undefined
        ? { 'x-amz-checksum-sha256': kept.checksum }
        : {}),
    };
    const body = this.lie ?? kept.body;
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    if (request.method === 'GET' && range !== null) return partOf(body, range, headers);
    return { status: 200, body: request.method === 'HEAD' ? '' : body, headers };
  }

  /** What a condition is answered with that does not hold or is not known; undefined when the request goes on. */
  #condition({ method, headers }: IncomingMessage, kept: StoredObject | undefined): number | undefined {
    const { 'if-match': match, 'if-none-match': none } = headers;
    if ((match ?? none) === undefined) return undefined;
    if (method !== 'GET' && this.conditions !== 'known')
      return { unknown: 501, refused: 400, ignored: undefined }[this.conditions];
    if (none === '*' && kept !== undefined) return 412;
    if (none === '*' && this.conflicts > 0) {
      this.conflicts -= 1;
      return 409;
    }
    return match !== undefined && kept !== undefined && match !== kept.etag ? 412 : undefined;
  }

  #list(url: URL): { readonly status: number; readonly body: string } {
    const bucket = `${url.pathname.replace(/\/$/, '')}/`;
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = Buffer.from(url.searchParams.get('continuation-token') ?? '', 'base64').toString('utf8');
    const found = [...this.objects]
      .map(([path, object]) => ({ key: decodeURIComponent(path.slice(bucket.length)), object }))
      .filter(({ key }) => key.startsWith(prefix) && key > after)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const most = Math.min(this.pageSize, Number(url.searchParams.get('max-keys')));
    const page = found.slice(0, most);
    const more = found.length > most;
    return {
      status: 200,
      body:
        '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
        `<IsTruncated>${more}</IsTruncated>` +
        page
          .map(
            ({ key, object }) =>
              `<Contents><Key>${encoded(key).replaceAll('%20', '+')}</Key><ETag>${(object.etag ?? '').replaceAll('"', '&quot;')}</ETag>` +
              `<Size>${object.body.length}</Size>` +
              `<LastModified>${(object.changedAt ?? ANY_DAY).toISOString()}</LastModified></Contents>`,
          )
          .join('') +
        (more
          ? `<NextContinuationToken>${Buffer.from(page.at(-1)?.key ?? '').toString('base64')}</NextContinuationToken>`
          : '') +
        '</ListBucketResult>',
    };
  }

  /** Returns why a request is rejected; undefined when it is valid. */
  #refusal(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
    const query = [...url.searchParams];
    const presigned = url.searchParams.has('X-Amz-Signature');
    const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
    const [credential, signedHeaders, signature, date] = presigned
      ? ['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature', 'X-Amz-Date'].map(
          (name) => url.searchParams.get(name) ?? '',
        )
      : [header?.[1] ?? '', header?.[2] ?? '', header?.[3] ?? '', String(request.headers['x-amz-date'] ?? '')];
    const [key, day, region, service] = (credential ?? '').split('/');
    if (key !== this.accessKey) return 'InvalidAccessKeyId';
    if (region !== this.region) return 'region';
    if (service !== 's3' || !date?.startsWith(day ?? '?')) return 'credential';
    if (!(signedHeaders ?? '').split(';').includes('host')) return 'host is not signed';
    if (presigned && url.searchParams.get('X-Amz-Expires') !== '300') return 'expires';
    const payload = presigned ? 'UNSIGNED-PAYLOAD' : String(request.headers['x-amz-content-sha256']);
    if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body).toString('hex')) return 'payload';
    const checksum = request.headers['x-amz-checksum-sha256'];
    if (checksum !== undefined && checksum !== sha256(body).toString('base64')) return 'checksum';
    const canonical = [
      request.method,
      url.pathname,
      query
        .filter(([name]) => name !== 'X-Amz-Signature')
        .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
        .sort()
        .join('&'),
      ...(signedHeaders ?? '').split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`),
      '',
      signedHeaders,
      payload,
    ].join('\n');
    const scope = `${day}/${region}/${service}/aws4_request`;
    const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical).toString('hex')].join('\n');
    const signing = [day ?? '', this.region, 's3', 'aws4_request'].reduce<Buffer>(
      (from, part) => hmac(from, part),
      Buffer.from(`AWS4${this.secretKey}`),
    );
    return hmac(signing, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
  }
}

function errorBody(code: string): string {
  return `<Error><Code>${code}</Code></Error>`;
}

function partOf(body: Buffer, [, first, last]: RegExpExecArray, headers: Record<string, string>): S3Answer {
  const [start, end] = [Number(first), Math.min(last ? Number(last) : Infinity, body.length - 1)];
  if (start > end) return { status: 416 };
  return {
    status: 206,
    body: body.subarray(start, end + 1),
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${body.length}` },
  };
}

function newObject(body: Buffer, headers: IncomingMessage['headers'], changedAt: Date): StoredObject {
  return {
    body,
    changedAt,
    checksum: headers['x-amz-checksum-sha256'] as string | undefined,
    etag: `"${createHash('md5').update(body).digest('hex')}"`,
    metadata: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        name.startsWith('x-amz-meta-') && typeof value === 'string' ? [[name, value]] : [],
      ),
    ),
  };
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
