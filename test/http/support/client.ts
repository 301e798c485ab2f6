import { expect } from 'chai';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A text field, or a file with its name as sent. */
export interface Part {
  readonly name: string;
  readonly value?: string;
  readonly file?: Uint8Array;
  /** The value of `filename="…"`; `document.pdf` when absent. */
  readonly fileName?: string;
  /** The whole Content-Disposition, for forms that no browser sends. */
  readonly disposition?: string;
}

/** A complete answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The members of a problem document that tests read. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly step?: { readonly index: number; readonly operation: string };
  readonly file?: string;
  readonly cause?: Omit<Problem, 'cause'>;
  readonly hints?: readonly string[];
}

export const boundary = 'quire-test-boundary';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** The document part of a form. */
export function file(bytes: Uint8Array, fileName = 'document.pdf', name = 'fileInput'): Part {
  return { name, file: bytes, fileName };
}

/** A text part of a form. */
export function field(name: string, value: string): Part {
  return { name, value };
}

/** A form as bytes (RFC 7578). */
export function formBody(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap((part) => {
    const disposition =
      part.disposition ??
      `form-data; name="${part.name}"` +
        `${part.file === undefined ? '' : `; filename="${part.fileName ?? 'document.pdf'}"`}`;
    const type = part.file === undefined ? '' : 'Content-Type: application/octet-stream\r\n';
    return [
      Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n${type}\r\n`),
      Buffer.from(part.file ?? part.value ?? ''),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Sends a request on its own connection. */
export function send(
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Buffer | string;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Answer> {
  const { method = 'GET', headers = {}, body, signal } = options;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method,
        headers: { ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }), ...headers },
        agent: false,
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

/** Posts a form. */
export function post(
  url: string,
  parts: readonly Part[],
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  return send(url, {
    method: 'POST',
    headers: { 'content-type': formType, ...headers },
    body: formBody(parts),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The JSON of an answer. */
export function json<T = Record<string, unknown>>(answer: Answer): T {
  return JSON.parse(answer.body.toString('utf8')) as T;
}

const inside = /node_modules|\n\s+at |\/dist\/|\/tmp\/|\/core\/|file:\/\//;

/** Expects a problem document (RFC 9457) with this status and code and without server internals, and returns it. */
export function expectProblem(answer: Answer, status: number, code: string): Problem {
  const text = answer.body.toString('utf8');
  expect(answer.status, text).to.equal(status);
  expect(answer.headers['content-type']).to.equal('application/problem+json');
  const problem = json<Problem>(answer);
  expect(problem.code, text).to.equal(code);
  expect(problem.status).to.equal(status);
  expect(problem).to.include.keys('type', 'title', 'detail', 'instance', 'requestId');
  expect(answer.headers['x-request-id']).to.equal(problem.requestId);
  expect(text).not.to.match(inside);
  return problem;
}

/** The pointers of a problem's faults. */
export function pointers(problem: Problem): string[] {
  return (problem.errors ?? []).map(({ pointer }) => pointer);
}

/** A raw connection, to send what no HTTP client would send. */
export class Wire {
  readonly #chunks: Buffer[] = [];
  #closed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.#closed = true));
  }

  static async open(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const wire = new Wire(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return wire;
  }

  /** The head of a POST of a form with these additional header lines. */
  head(path: string, ...lines: readonly string[]): this {
    this.socket.write(
      [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Type: ${formType}`, ...lines, '', ''].join('\r\n'),
    );
    return this;
  }

  write(data: string | Uint8Array): this {
    this.socket.write(data);
    return this;
  }

  /** Everything received so far. */
  get text(): string {
    return Buffer.concat(this.#chunks).toString('latin1');
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The status of the first answer; 0 while there is none. */
  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.text)?.[1] ?? 0);
  }

  close(): void {
    this.socket.destroy();
  }
}
