import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Caller, StoredFileWire } from './storage.js';

const boundary = 'quire-storage-load';
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
const CHUNK = 256 * 1024;

/** Unique content of this many bytes, a chunk at a time. */
export function* contentOf(seed: number, bytes: number): Generator<Buffer> {
  let piece = createHash('sha512').update(String(seed)).digest();
  const chunk = Buffer.alloc(CHUNK);
  for (let at = 0; at < CHUNK; at += piece.length) {
    piece = createHash('sha512').update(piece).digest();
    piece.copy(chunk, at);
  }
  for (let left = bytes, count = 0; left > 0; left -= CHUNK, count += 1) {
    const copy = Buffer.from(chunk.subarray(0, Math.min(left, CHUNK)));
    // Differs each time, so that a chunk in the wrong place is detected.
    if (copy.length >= 4) copy.writeUInt32BE(count);
    yield copy;
  }
}

/** SHA-256 of that content. */
export function digestOf(seed: number, bytes: number): string {
  const hash = createHash('sha256');
  for (const chunk of contentOf(seed, bytes)) hash.update(chunk);
  return hash.digest('hex');
}

/** Uploads content without holding it in memory; undefined when the server went away. */
export function uploadLarge(
  url: string,
  caller: Caller,
  seed: number,
  bytes: number,
): Promise<StoredFileWire | undefined> {
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${seed}.bin"\r\nContent-Type: ` +
      `application/octet-stream\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    const headers = {
      ...caller,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + bytes + tail.length),
    };
    const call = request(`${url}/api/v1/storage/files`, { method: 'POST', headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', () => resolve(undefined));
      response.once('end', () =>
        response.statusCode === 200
          ? resolve(JSON.parse(text) as StoredFileWire)
          : reject(new Error(`${response.statusCode}: ${text}`)),
      );
    });
    call.once('error', () => resolve(undefined));
    const body = Readable.from(
      (function* () {
        yield head;
        yield* contentOf(seed, bytes);
        yield tail;
      })(),
      { objectMode: false },
    );
    pipeline(body, call, () => undefined);
  });
}

/** SHA-256 of a downloaded file. */
export function downloadLarge(url: string, caller: Caller, id: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}/api/v1/storage/files/${id}/download`,
      { headers: caller, agent: false },
      (response) => {
        const hash = createHash('sha256');
        response.on('data', (chunk: Buffer) => hash.update(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve(`${response.statusCode === 200 ? '' : `${response.statusCode} `}${hash.digest('hex')}`),
        );
      },
    );
    call.once('error', reject);
    call.end();
  });
}
