import { request } from 'node:http';
import type { Answer } from './client.js';

/** A request with headers as they are: repeated, in any spelling, and in any bytes. */
export interface RawCall {
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Address of this machine that the connection comes from. */
  readonly from?: string;
}

/** Sends a request without a body on its own connection. */
export function sendRaw(url: string, { method = 'GET', headers = [], from = '127.0.0.1' }: RawCall): Promise<Answer> {
  const fields = [['host', new URL(url).host], ...headers].flat();
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers: fields, localAddress: from, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    call.once('error', reject);
    call.end();
  });
}
