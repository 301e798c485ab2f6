import { request as send, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';

/** Statuses whose answers have no body (Fetch standard, null body status). */
const WITHOUT_BODY = [204, 205, 304];

/** Returns a `fetch` that sends every request to the server at this Unix domain socket or named pipe. */
export function socketFetch(socketPath: string): typeof fetch {
  return async (input, init) => {
    const request = new Request(input instanceof URL ? input.href : input, init);
    const { pathname, search } = new URL(request.url);
    const { method, signal } = request;
    const headers = Object.fromEntries(request.headers);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send({ socketPath, path: `${pathname}${search}`, method, headers, signal, agent: false }, resolve);
      sent.once('error', reject);
      if (request.body === null) sent.end();
      else pipeline(Readable.fromWeb(request.body as NodeStream<Uint8Array>), sent).catch(reject);
    });
    const status = answer.statusCode ?? 0;
    const answered = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    if (WITHOUT_BODY.includes(status)) answer.resume();
    const body = WITHOUT_BODY.includes(status) ? null : (Readable.toWeb(answer) as unknown as ReadableStream);
    return new Response(body, { status, headers: answered });
  };
}
