// Loaded with mocha's --require; see README.md.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'mocha';
import type { ServedDocument } from './served-document.js';

/** Longer bodies are not stored, and only their status is checked. */
const MOST_BYTES = 4 * 1024 * 1024;

let served: Promise<ServedDocument> | undefined;
let running = '';
const checks: Promise<void>[] = [];
/** Faults, with the first test that caused each. */
const faults = new Map<string, string>();

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const test = running;
  const body = keepBody(response);
  response.once('finish', () => {
    // Every answer of the server has one; the fake servers of tests do not.
    if (!response.hasHeader('x-request-id')) return;
    checks.push(check(request, response, body(), test));
  });
});

async function check(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | undefined,
  test: string,
): Promise<void> {
  // Some runs start no server: dependencies are loaded by the first answer.
  const document = await (served ??= import('./served-document.js').then(({ ServedDocument: document }) =>
    document.read(),
  ));
  const found = document.faultsOf({
    method: request.method ?? '',
    path: (request.url ?? '').split('?')[0] ?? '',
    status: response.statusCode,
    body,
    mediaType:
      String(response.getHeader('content-type') ?? '')
        .split(';')[0]
        ?.trim() ?? '',
  });
  for (const fault of found) if (!faults.has(fault)) faults.set(fault, test);
}

/** Records the text that is written to a JSON answer. */
function keepBody(response: ServerResponse): () => string | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    if (!String(response.getHeader('content-type') ?? '').startsWith('application/json')) return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk);
    size += bytes.length;
    if (size <= MOST_BYTES) chunks.push(bytes);
  };
  const { write, end } = response;
  response.write = function kept(this: ServerResponse, ...args: unknown[]): boolean {
    keep(args[0], args[1]);
    return Reflect.apply(write, this, args) as boolean;
  };
  response.end = function kept(this: ServerResponse, ...args: unknown[]): ServerResponse {
    keep(args[0], args[1]);
    return Reflect.apply(end, this, args) as ServerResponse;
  };
  const isWhole = (): boolean =>
    size > 0 && size <= MOST_BYTES && !response.hasHeader('content-encoding') && !response.hasHeader('content-range');
  return () => (isWhole() ? Buffer.concat(chunks).toString('utf8') : undefined);
}

export const mochaHooks = {
  beforeEach(this: Context): void {
    running = this.currentTest?.fullTitle() ?? '';
  },
  async afterAll(): Promise<void> {
    await Promise.all(checks);
    if (faults.size === 0) return;
    throw new Error(
      'Answers differ from docs/reference/openapi.json (after changes of declarations run npm run docs ' +
        `first):\n` +
        `${[...faults].map(([fault, test]) => `- ${fault} (${test || 'before the first test'})`).join('\n')}`,
    );
  },
};
