import { request as send, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { multipart } from './multipart.js';

/** Statuses whose answers have no body (Fetch standard, null body status). */
const WITHOUT_BODY = [204, 205, 304];

/**
 * Returns a `fetch` that sends every request to the server at this Unix domain socket or named pipe; Node's own cannot.
 * Takes what the client sends: an address, and a form or a text as body.
 */
export function socketFetch(socketPath: string): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const { method = 'GET', body, signal } = init;
    const { stream, headers } = bodyOf(body);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send(
        {
          socketPath,
          path: `${pathname}${search}`,
          method,
          headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers },
          agent: false,
          ...(signal === null || signal === undefined ? {} : { signal }),
        },
        resolve,
      );
      // A broken connection may be reported twice. A server that refuses a call answers before it has read all.
      sent.on('error', reject);
      sent.once('close', () => stream.destroy());
      stream.once('error', (error) => sent.destroy(error));
      stream.pipe(sent);
    });
    const { statusCode: status = 0 } = answer;
    const answered = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    if (WITHOUT_BODY.includes(status)) answer.resume();
    const content = WITHOUT_BODY.includes(status) ? null : (Readable.toWeb(answer) as unknown as ReadableStream);
    return new Response(content, { status, headers: answered });
  };
}

function bodyOf(body: RequestInit['body']): { readonly stream: Readable; readonly headers: Record<string, string> } {
  if (body instanceof FormData) return multipart(body);
  const bytes = Buffer.from(typeof body === 'string' ? body : '');
  const headers: Record<string, string> = bytes.length === 0 ? {} : { 'content-length': String(bytes.length) };
  return { stream: Readable.from(bytes.length === 0 ? [] : [bytes]), headers };
}
