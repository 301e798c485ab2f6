import { connect } from 'node:net';
import { createTestServer } from '@quire/core';
import { generatedSeeds } from './generated-seeds.js';
import type { FuzzTarget } from './target.js';

type Server = Awaited<ReturnType<typeof createTestServer>>;

/** Milliseconds after which a connection that the client has ended must be closed. */
const PATIENCE = 20_000;
/**
 * Milliseconds without a byte after which the sending side is ended: an answer is complete, or the server waits for
 * more of the request. It drops a request whose client has ended before the answer. The first answer to a request that
 * is complete is awaited longer, because the machine may be busy.
 */
const SILENCE = { afterAnswer: 20, before: 700, beforeFirst: 10_000 } as const;
const BOUNDARY = 'quire-fuzz';
const part = (name: string, body: string, file = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${body}\r\n`;
const pdf = generatedSeeds().get('two')?.toString('latin1') ?? '';
const formOf = (...parts: readonly string[]): string => `${parts.join('')}--${BOUNDARY}--\r\n`;
const upload = part('fileInput', pdf, '; filename="a.pdf"\r\nContent-Type: application/pdf');
const filter = formOf(upload, part('pageCount', '1'), part('comparator', 'Greater'));
const post = (path: string, type: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const requests = [
  'GET /api/v1/info/status HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip;q=0.5, br\r\n\r\n',
  'GET /api/v1/general/job/123/result?x=%41&y[]=1 HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-10\r\nX-API-KEY: a\r\n\r\n',
  'OPTIONS /api/v1/general/rotate-pdf HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a.test\r\n\r\n',
  post(
    '/api/v1/general/rotate-pdf?async=true',
    `multipart/form-data; boundary=${BOUNDARY}`,
    formOf(upload, part('angle', '90')),
  ),
  post(
    '/api/v1/pipeline/validate',
    `multipart/form-data; boundary=${BOUNDARY}`,
    formOf(part('json', '{"pipeline":[{"operation":"/api/v1/general/rotate-pdf","parameters":{"angle":90}}]}')),
  ),
  post('/api/v1/auth/login', 'application/json', '{"username":"a","password":"b"}'),
  `POST /api/v1/filter/filter-page-count HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: ` +
    `multipart/form-data; boundary=${BOUNDARY}\r\nExpect: 100-continue\r\nPrefer: handling=strict, wait=1\r\n\r\n` +
    `${filter.length.toString(16)}\r\n${filter}\r\n0\r\n\r\n`,
];

let running: Promise<Server> | undefined;

/** Bytes sent to a server on a connection that is then ended: answers, never a 500, and the server goes on. */
export const http: FuzzTarget = {
  extension: 'http',
  understood: /^(?:100 )?[24]\d\d$/,
  seeds: () => Promise.resolve(requests.map((request) => Buffer.from(request, 'latin1'))),
  exercise: async (bytes) => {
    const { url } = await (running ??= start());
    const answer = await exchange(Number(new URL(url).port), bytes);
    const statuses = [...answer.matchAll(/(?:^|\r\n)HTTP\/1\.[01] (\d{3})/g)].map(([, status = '']) => status);
    const broken = statuses.find((status) => ['500', '502'].includes(status));
    if (broken !== undefined) throw new Error(`the server answered ${broken}: ${answer.slice(0, 1000)}`);
    if (/node_modules|\n\s+at .+:\d+:\d+/.test(answer)) throw new Error('an answer contains a stack');
    const alive = await fetch(`${url}/livez`);
    if (!alive.ok) throw new Error(`the server is not alive: ${alive.status}`);
    await alive.arrayBuffer();
    return statuses.join(' ') || 'closed';
  },
  stop: async () => {
    await (await running)?.stop();
    running = undefined;
  },
};

async function start(): Promise<Server> {
  const server = await createTestServer({
    settings: {},
    plugins: ['@quire/plugin-general', '@quire/plugin-filter'],
  });
  await server.start();
  return server;
}

/** Returns whether a server that reads the bytes as one request has all of it. */
function isComplete(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  if (/transfer-encoding:\s*chunked/i.test(text.slice(0, head))) return text.includes('\r\n0\r\n\r\n', head);
  return text.length - head - 4 >= Number(/content-length:\s*(\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
}

/** Sends bytes, ends the sending side and resolves to what was received until the server closed the connection. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let silence = setTimeout(() => socket.end(), isComplete(bytes) ? SILENCE.beforeFirst : SILENCE.before);
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stays open; received: ${received.slice(0, 200)}`));
    }, PATIENCE);
    socket.on('data', (data) => {
      clearTimeout(silence);
      const answered = /(?:^|\n)HTTP\/1\.[01] [2-5]\d\d/.test(received + data.toString('latin1'));
      silence = setTimeout(
        () => socket.end(),
        answered ? SILENCE.afterAnswer : isComplete(bytes) ? SILENCE.beforeFirst : SILENCE.before,
      );
      if (received.length < 100_000) received += data.toString('latin1');
    });
    // The server may reset the connection of a request that it refuses.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(late);
      clearTimeout(silence);
      resolve(received);
    });
    socket.on('end', () => socket.end());
    socket.write(bytes);
  });
}
