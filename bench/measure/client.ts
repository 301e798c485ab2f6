import { Agent, request } from 'node:http';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';

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

/** A client that keeps its connections open. */
export class Client {
  readonly #agent: Agent;

  /** `headers` are sent with every call, for example an API key. */
  constructor(
    readonly url: string,
    connections = 1,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

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
    await this.#call('POST', path, body, (chunk) => chunks.push(chunk));
    return Buffer.concat(chunks);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Posts a form and returns the status of the answer, whatever it is. */
  status(path: string, body: MultipartBody): Promise<number> {
    return this.#call('POST', path, body).then(
      () => 200,
      (error: unknown) => Number(/: (\d{3}) /.exec(String(error))?.[1] ?? 0),
    );
  }

  #call(method: string, path: string, body?: MultipartBody, receive?: (chunk: Buffer) => unknown): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...this.headers,
        ...(body === undefined ? {} : { 'content-type': body.contentType, 'content-length': body.bytes.length }),
      };
      const call = request(`${this.url}${path}`, { method, agent: this.#agent, headers }, (answer) => {
        let size = 0;
        let problem = '';
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          receive?.(chunk);
          if (answer.statusCode !== 200 && problem.length < 2000) problem += chunk.toString('utf8');
        });
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve(size) : reject(new Error(`${path}: ${answer.statusCode} ${problem}`)),
        );
        answer.on('error', reject);
      });
      call.on('error', reject);
      call.end(body?.bytes);
    });
  }
}
