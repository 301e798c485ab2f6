import { request } from 'node:http';
import { connect } from 'node:net';
import type { Attack, Received } from './attack.js';
import { LONGEST_MS } from './judge.js';

/** Milliseconds that are waited for the end of an answer on a connection of our own. */
const WIRE_SILENCE = 1500;
/** Longer than what is a fault, so that the time is known. */
const PATIENCE = LONGEST_MS.document + 20_000;

/** Sends an attack with these credentials and returns what came back; never rejects. */
export function sendAttack(
  url: string,
  attack: Attack,
  credentials: Readonly<Record<string, string>>,
): Promise<Received> {
  return attack.wire === undefined ? sendRequest(url, attack, credentials) : sendBytes(url, attack.wire());
}

function sendRequest(url: string, attack: Attack, credentials: Readonly<Record<string, string>>): Promise<Received> {
  const { hostname, port } = new URL(url);
  const body = attack.body?.();
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, head: string, bytes: Buffer): void =>
      resolve({ status, head, body: bytes, took: performance.now() - started });
    const call = request(
      {
        hostname,
        port,
        agent: false,
        method: attack.method,
        path: attack.path,
        headers: {
          ...credentials,
          ...attack.headers,
          ...(body === undefined ? {} : { 'content-length': body.length }),
        },
        timeout: PATIENCE,
      },
      (response) => {
        const chunks: Buffer[] = [];
        const { rawHeaders, statusCode = 0 } = response;
        const lines = rawHeaders.flatMap((value, i) => (i % 2 === 0 ? [`${value}: ${rawHeaders[i + 1] ?? ''}`] : []));
        const done = (): void => end(statusCode, lines.join('\r\n'), Buffer.concat(chunks));
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', done);
        response.once('error', done);
        // Events of a job have no end.
        if (/event-stream/.test(String(response.headers['content-type']))) setTimeout(() => response.destroy(), 500);
        response.once('close', done);
      },
    );
    call.once('timeout', () => call.destroy());
    call.once('error', (error: NodeJS.ErrnoException) => end(0, '', Buffer.from(error.code ?? error.message)));
    call.end(body);
  });
}

function sendBytes(url: string, parts: readonly (string | Uint8Array)[]): Promise<Received> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    let silence = setTimeout(() => socket.destroy(), WIRE_SILENCE);
    socket.on('data', (chunk: Buffer) => {
      if (chunks.length < 2000) chunks.push(chunk);
      clearTimeout(silence);
      silence = setTimeout(() => socket.destroy(), WIRE_SILENCE / 5);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(silence);
      const all = Buffer.concat(chunks);
      const at = all.indexOf('\r\n\r\n');
      const head = all.toString('latin1', 0, at < 0 ? all.length : at);
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
      resolve({
        status,
        head,
        body: at < 0 ? Buffer.alloc(0) : all.subarray(at + 4),
        took: performance.now() - started,
      });
    });
    for (const part of parts) socket.write(part);
  });
}
