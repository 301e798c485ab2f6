import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that a receiver got. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, and the same as text. */
  readonly bytes: Buffer;
  readonly body: string;
  readonly atMs: number;
}

/** A server that receives webhooks. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly calls: readonly Received[];
  /** The calls of one path. */
  at(path: string): readonly Received[];
  stop(): Promise<void>;
}

/**
 * Listens on a free port of 127.0.0.1, or on `port`; `answer` gets each call and the count of calls to its path,
 * including this one.
 */
export async function startReceiver(
  answer: (response: ServerResponse, call: Received, count: number) => void = (response) => response.end(),
  port = 0,
): Promise<Receiver> {
  const calls: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const bytes = Buffer.concat(chunks);
        const call = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          bytes,
          body: bytes.toString('utf8'),
          atMs: Date.now(),
        };
        calls.push(call);
        answer(response, call, calls.filter(({ path }) => path === call.path).length);
      });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const found = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${found}`,
    port: found,
    calls,
    at: (path) => calls.filter((call) => call.path === path),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns whether a call is signed with the key, checked as a receiver does (Standard Webhooks 1.0). */
export function isSignedBy({ headers, bytes }: Received, secret: string): boolean {
  const expected = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`)
    .update(bytes)
    .digest();
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .some((one) => {
      const [version, value = ''] = one.split(',');
      const given = Buffer.from(value, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
}
