import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterNode } from '../cluster/cluster-node.js';

export const admin = { username: 'boss', password: 'the-password-of-the-boss' };

/** Longest time that a call is repeated, ms. */
const PATIENCE_MS = 300_000;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A careful client: it calls whichever node answers, and repeats what broke. */
export class Client {
  #key = '';

  constructor(private readonly nodes: readonly ClusterNode[]) {}

  async logIn(): Promise<void> {
    const { body } = await this.#repeat('POST', 'auth/login', JSON.stringify(admin));
    const { session } = body as { session: { access_token: string } };
    const headers = { authorization: `Bearer ${session.access_token}` };
    this.#key = (
      (await this.#repeat('POST', 'user/get-api-key', undefined, headers)).body as { apiKey: string }
    ).apiKey;
  }

  /** The JSON of the first answer that says neither "later" nor "broken". Throws when it is an error. */
  async json<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await this.#repeat(method, path, body === undefined ? undefined : JSON.stringify(body));
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  /** The status of a call that is repeated while the server is away. */
  async status(method: string, path: string, body: object): Promise<number> {
    return (await this.#repeat(method, path, JSON.stringify(body))).status;
  }

  /** Uploads a file to the storage; an upload whose answer was lost is repeated, and the first one stays unused. */
  async upload(name: string, bytes: Uint8Array): Promise<number> {
    const form = (): FormData => {
      const data = new FormData();
      data.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), name);
      return data;
    };
    const { status, body } = await this.#repeat('POST', 'storage/files', form);
    if (status !== 200) throw new Error(`upload of ${name}: ${status} ${JSON.stringify(body)}`);
    return (body as { id: number }).id;
  }

  async download(path: string): Promise<Buffer> {
    const response = await fetch(`${this.nodes[0]?.url ?? ''}/api/v1/${path}`, { headers: { 'x-api-key': this.#key } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  /** Posts a body in two pieces with a pause between them; returns the status once the server has answered. */
  async deliver(
    path: string,
    bytes: Buffer,
    headersOf: () => Record<string, string>,
    pauseMs: number,
  ): Promise<number> {
    return this.#untilAnswered(async (node) => {
      const half = Math.ceil(bytes.length / 2);
      return new Promise<Answer>((resolve, reject) => {
        const headers = { ...headersOf(), 'content-length': String(bytes.length), 'content-type': 'application/pdf' };
        const call = request(`${node.url}/api/v1/${path}`, { method: 'POST', headers }, (response) => {
          response.resume();
          response.once('error', reject).once('end', () => resolve({ status: response.statusCode ?? 0, body: null }));
        });
        call.once('error', reject);
        call.write(bytes.subarray(0, half));
        setTimeout(() => call.end(bytes.subarray(half)), pauseMs);
      });
    }).then(({ status }) => status);
  }

  #repeat(
    method: string,
    path: string,
    body?: string | (() => FormData),
    headers: Readonly<Record<string, string>> = { 'x-api-key': this.#key },
  ): Promise<Answer> {
    return this.#untilAnswered(async (node) => {
      const response = await fetch(`${node.url}/api/v1/${path}`, {
        method,
        headers: { ...headers, ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}) },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : body() }),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    });
  }

  async #untilAnswered(call: (node: ClusterNode) => Promise<Answer>): Promise<Answer> {
    const until = performance.now() + PATIENCE_MS;
    for (let tries = 0; ; tries++) {
      const node = this.nodes[tries % this.nodes.length];
      if (node === undefined) throw new Error('there is no node');
      const answer = await call(node).catch((error: unknown) => ({ status: 0, body: String(error) }));
      const again = answer.status === 0 || answer.status === 429 || answer.status >= 500;
      if (!again) return answer;
      if (performance.now() > until) throw new Error(`no answer: ${answer.status} ${JSON.stringify(answer.body)}`);
      await delay(100 + Math.random() * 200);
    }
  }
}
