import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object; `checksum` is the one that was sent. */
interface StoredObject {
  readonly body: Buffer;
  readonly checksum: string | undefined;
  readonly etag?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * A service on loopback that stores objects as S3 does, and accepts only requests signed with its key (AWS Signature
 * Version 4, as Amazon documents it for S3).
 */
export class S3Server {
  readonly accessKey = 'AKTESTKEY';
  readonly secretKey = 'the+secret/of=this test';
  readonly region = 'eu-test-1';
  /** Objects by path. */
  readonly objects = new Map<string, StoredObject>();
  readonly requests: string[] = [];
  /** Answers every request with this status instead. */
  failWith: number | undefined;
  /** Knows the key, and permits it nothing. */
  denies = false;
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
  /** Content that a GET returns instead of the stored one. */
  lie: Buffer | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<S3Server> {
    const server = createServer();
    const service = new S3Server(server);
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
    this.objects.set(path, newObject(body, {}));
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

  #answer(
    request: IncomingMessage,
    body: Buffer,
  ): { readonly status: number; readonly body?: Buffer | string; readonly headers?: Record<string, string> } {
    const url = new URL(request.url ?? '/', this.url);
    this.requests.push(`${request.method} ${url.pathname}`);
    if (this.failWith !== undefined) return { status: this.failWith };
    const refusal = this.#refusal(request, url, body);
    if (refusal !== undefined) return { status: 403, body: refusal };
    if (this.denies) return { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' };
    if (url.searchParams.get('list-type') === '2') return this.#list(url);
    const kept = this.objects.get(url.pathname);
    const refused = this.#condition(request, kept);
    if (refused !== undefined) return { status: refused };
    if (request.method === 'PUT') {
      if (kept !== undefined) this.replaced.push({ path: url.pathname, body: kept.body });
      this.objects.set(url.pathname, newObject(body, request.headers));
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
    return { status: 200, body: request.method === 'HEAD' ? '' : (this.lie ?? kept.body), headers };
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
              `<Size>${object.body.length}</Size><LastModified>2026-01-31T10:00:00.000Z</LastModified></Contents>`,
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
    if (key !== this.accessKey || region !== this.region || service !== 's3' || !date?.startsWith(day ?? '?'))
      return 'credential';
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
    return hmac(signing, text).toString('hex') === signature ? undefined : 'signature';
  }
}

function newObject(body: Buffer, headers: IncomingMessage['headers']): StoredObject {
  return {
    body,
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
