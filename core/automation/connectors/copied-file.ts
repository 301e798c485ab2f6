import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeFile, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { reaching } from './faults.js';

const READ_BYTES = 64 * 1024;
/** Up to this size, a file on this server's own disk is written or read in one synchronous step (ADR 0118). */
const SMALL_BYTES = READ_BYTES;

const write = promisify(writeFile);

/** Size in bytes and SHA-256 (hexadecimal) of a content. */
export interface Measured {
  readonly size: number;
  readonly sha256: string;
}

/**
 * Writes a content to a new temporary file; removes the file when that fails. It is not flushed: whoever keeps it does
 * that (`Blobs.put`).
 */
export async function writeContent(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  path: string,
): Promise<Measured> {
  const hash = createHash('sha256');
  let size = 0;
  const file = openSync(path, 'wx', 0o600);
  try {
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        size += chunk.length;
        if (size <= SMALL_BYTES) writeFileSync(file, chunk);
        else await write(file, chunk);
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Reads a file for its size and SHA-256. */
export async function measured(path: string | Buffer): Promise<Measured> {
  const hash = createHash('sha256');
  let size = 0;
  // Most files are small, and a stream costs more than their few reads.
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest('hex') };
}

/** As `measured`, for a file of this size on this server's own disk. */
export async function measuredHere(path: string, size: number): Promise<Measured> {
  if (size > SMALL_BYTES) return measured(path);
  const content = readFileSync(path);
  return { size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Writes a stream of the store to a new file. Errors of the store are SOURCE_UNREACHABLE. Closes the stream. */
export async function writeStream(stream: Readable, path: string): Promise<Measured> {
  try {
    return await writeContent(contentOf(stream), path);
  } finally {
    stream.destroy();
  }
}

/** Errors of the file that is written are not among these: they are of this server's own disk. */
async function* contentOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  for (;;) {
    const next = await reaching('SOURCE', () => chunks.next());
    if (next.done === true) return;
    yield next.value;
  }
}
