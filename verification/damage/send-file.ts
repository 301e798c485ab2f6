import { request } from 'node:http';
import type { DamageCall } from './damage-calls.js';

/** An answer, whatever its status. */
export interface Received {
  readonly status: number;
  readonly warnings: string;
  readonly body: Buffer;
}

const BOUNDARY = 'quire-damaged-file';

/** Sends a file over a connection of its own: a server may close one that was idle. */
export function send(url: string, call: Omit<DamageCall, 'result'>, bytes: Uint8Array): Promise<Received> {
  const head = (disposition: string): Buffer =>
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`);
  const parts = [
    ...Array.from({ length: call.copies }, (_none, i) => [head(`name="fileInput"; filename="${i}.pdf"`), bytes]),
    ...Object.entries(call.fields).map(([name, value]) => [head(`name="${name}"`), Buffer.from(value)]),
  ];
  const body = Buffer.concat([
    ...parts.flatMap(([first, second]) => [first!, second!, Buffer.from('\r\n')]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
  return new Promise((resolve, reject) => {
    const exchange = request(
      `${url}/api/v1/${call.path}`,
      {
        method: 'POST',
        agent: false,
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': body.length },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            warnings: String(response.headers['x-warnings'] ?? ''),
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    exchange.once('error', reject);
    exchange.end(body);
  });
}
