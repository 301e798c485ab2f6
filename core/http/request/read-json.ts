import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { InputError, isQuireError, OperationalError } from '@quire/registry';
import type { WireFile } from '../../operations/workers/index.js';
import { refuseDeclaredSize } from './read-form.js';

/** Default size limit of a body that is read into memory. */
export const MAX_JSON_BYTES = 1024 * 1024;
const STALL_MS = 10_000;

/**
 * Reads a JSON body of at most `maxBytes`. Throws INPUT_MEDIA_TYPE, INPUT_TOO_LARGE, INPUT_TOO_SLOW or INPUT_MALFORMED.
 */
export async function readJson(request: IncomingMessage, maxBytes = MAX_JSON_BYTES): Promise<unknown> {
  checkType(request);
  refuseDeclaredSize(request, maxBytes);
  const text = await readText(request, maxBytes);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new InputError(
      'INPUT_MALFORMED',
      { detail: `it is not JSON: ${(error as Error).message.slice(0, 100)}` },
      [],
      { cause: error },
    );
  }
}

function checkType(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? '';
  if (/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) return;
  throw new InputError('INPUT_MEDIA_TYPE', {
    found: type === '' ? 'without a Content-Type' : `"${type.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')}"`,
    allowed: 'application/json',
  });
}

/**
 * Writes a JSON body of at most `maxBytes` to a new file without parsing it; `digests` receives its SHA-256 by path.
 * Throws INPUT_MEDIA_TYPE, INPUT_TOO_LARGE, INPUT_TOO_SLOW, or INPUT_MALFORMED for an empty body.
 */
export async function keepJson(
  request: IncomingMessage,
  path: string,
  maxBytes: number,
  digests?: Map<string, string>,
): Promise<WireFile> {
  checkType(request);
  const file = await keepBody(request, path, maxBytes, digests);
  if (file.size === 0) throw new InputError('INPUT_MALFORMED', { detail: 'it is empty' });
  return { ...file, name: 'body.json', kind: 'json' };
}

/**
 * Writes a body of any type to a new file, which may become empty. Throws INPUT_TOO_LARGE and INPUT_TOO_SLOW, and
 * CANCELLED for a body that is shorter than declared.
 */
export async function keepBody(
  request: IncomingMessage,
  path: string,
  maxBytes: number,
  digests?: Map<string, string>,
): Promise<WireFile> {
  refuseDeclaredSize(request, maxBytes);
  let size = 0;
  const hash = digests === undefined ? undefined : createHash('sha256');
  const stalled = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(), STALL_MS);
  };
  const counted = async function* (): AsyncGenerator<Buffer> {
    // Keep the connection open for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      wait();
      size += chunk.length;
      hash?.update(chunk);
      if (size > maxBytes) throw new InputError('INPUT_TOO_LARGE', { limit: maxBytes });
      yield chunk;
    }
  };
  wait();
  try {
    await pipeline(counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal: stalled.signal });
  } catch (error) {
    if (stalled.signal.aborted) throw new InputError('INPUT_TOO_SLOW', { seconds: STALL_MS / 1000 });
    if (!request.complete && !isQuireError(error)) throw new OperationalError('CANCELLED', {}, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
  if (hash !== undefined) digests?.set(path, hash.digest('hex'));
  return { name: 'body', kind: 'bin', path, size };
}

/** Reads a body of at most `maxBytes` as text. Throws INPUT_TOO_LARGE or INPUT_TOO_SLOW. */
export function readText(request: IncomingMessage, maxBytes = MAX_JSON_BYTES): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => stop(new InputError('INPUT_TOO_SLOW', { seconds: STALL_MS / 1000 })), STALL_MS);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) stop(new InputError('INPUT_TOO_LARGE', { limit: maxBytes }));
    };
    const stop = (error: unknown): void => {
      clearTimeout(timer);
      request.off('data', onData).pause();
      reject(error);
    };
    request.on('data', onData);
    request.once('end', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    request.once('close', () => {
      if (!request.complete) stop(new OperationalError('CANCELLED'));
    });
    // The client may have disconnected before the listeners were attached.
    if (request.destroyed && !request.complete) stop(new OperationalError('CANCELLED'));
  });
}
