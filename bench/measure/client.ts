import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Receive } from './answer-reader.js';
import { Connection } from './connection.js';

/** A multipart body that is built once and sent often. */
export interface MultipartBody {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** A file of a form. */
export interface FormFile {
  readonly field: string;
  readonly path: string;
  readonly name: string;
}

/** Builds a multipart body from input files, text fields, and additional files by field. */
export function multipart(
  files: readonly string[],
  fields: Readonly<Record<string, string>>,
  second: Readonly<Record<string, string>> = {},
): Promise<MultipartBody> {
  const inputs = files.map((path, i) => ({ field: 'fileInput', path, name: `input${i}${extname(path)}` }));
  const others = Object.entries(second).map(([field, path]) => ({ field, path, name: basename(path) }));
  return formBody([...inputs, ...others], fields);
}

/** Builds a multipart body (RFC 7578). */
export async function formBody(
  files: readonly FormFile[],
  fields: Readonly<Record<string, string>>,
): Promise<MultipartBody> {
  const boundary = 'quire-bench-7d9f1c';
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(fields))
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
  for (const { field, path, name } of files) {
    const type = name.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream';
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ` +
          `${type}\r\n\r\n`,
      ),
      await readFile(path),
      Buffer.from('\r\n'),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(parts), contentType: `multipart/form-data; boundary=${boundary}` };
}

/**
 * A client that keeps its connections open: at most as many as calls were made at once. It works on sockets, because
 * client and server share the processors: the HTTP client of Node took half of the time of a call with 100 MB.
 */
export class Client {
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();

  /** `headers` are sent with every call, for example an API key. */
  constructor(
    readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Posts a form, discards the answer's body and returns its size. Throws for any status but 200. */
  post(path: string, body: MultipartBody): Promise<number> {
    return this.#call('POST', path, body);
  }

  /** Gets an address, discards the answer's body and returns its size. */
  get(path: string): Promise<number> {
    return this.#call('GET', path);
  }

  /** Posts a form and returns the answer's body. Throws for any status but 200. */
  async answer(path: string, body: MultipartBody): Promise<Buffer> {
    const chunks: Buffer[] = [];
    await this.#call('POST', path, body, (piece) => chunks.push(Buffer.from(piece)));
    return Buffer.concat(chunks);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  /** Posts a form and returns the status of the answer, whatever it is. */
  status(path: string, body: MultipartBody): Promise<number> {
    return this.#call('POST', path, body).then(
      () => 200,
      (error: unknown) => Number(/: (\d{3}) /.exec(String(error))?.[1] ?? 0),
    );
  }

  async #call(method: string, path: string, body?: MultipartBody, receive?: Receive): Promise<number> {
    let problem = '';
    const connection = this.#idle.pop() ?? this.#connect();
    const head = this.#head(method, path, body);
    const answer = await connection.call({ head, ...(body && { body: body.bytes }) }, (piece, status) => {
      receive?.(piece, status);
      if (status !== 200 && problem.length < 2000) problem += piece.toString('utf8');
    });
    if (this.#all.has(connection) && answer.keepsOpen) this.#idle.push(connection);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${problem}`);
    return answer.size;
  }

  #connect(): Connection {
    const { hostname, port } = new URL(this.url);
    const connection = new Connection(hostname, Number(port || 80), () => {
      this.#all.delete(connection);
      const at = this.#idle.indexOf(connection);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    this.#all.add(connection);
    return connection;
  }

  #head(method: string, path: string, body?: MultipartBody): string {
    const { host, pathname } = new URL(this.url);
    const lines = [`${method} ${pathname.replace(/\/$/, '')}${path} HTTP/1.1`, `Host: ${host}`];
    for (const [name, value] of Object.entries(this.headers)) lines.push(`${name}: ${value}`);
    if (body !== undefined) lines.push(`Content-Type: ${body.contentType}`, `Content-Length: ${body.bytes.length}`);
    return `${lines.join('\r\n')}\r\n\r\n`;
  }
}
