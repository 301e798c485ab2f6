import { createReadStream, read, type ReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { PIECE_BYTES, pieceBuffers } from '../piece-buffers.js';

/** Bytes of a buffer for a file that is smaller than two pieces, or while many others are sent. */
const SMALL_PIECE_BYTES = 256 * 1024;
const readInto = promisify(read);

/** A file as a stream. Hapi calls `writeToStream` in place of `pipe` where the bytes are sent as they are. */
export type FileBody = ReadStream & { writeToStream(res: ServerResponse): void };

/**
 * Returns a file of known size as a stream that ends with its last byte. Without the size, the stream would read the
 * disk once more before it ends, and a client that disconnects right after the last byte would count as one that left
 * early.
 */
export function openFile(path: string, size: number): FileBody {
  const body = createReadStream(path, { highWaterMark: SMALL_PIECE_BYTES, ...(size > 0 ? { end: size - 1 } : {}) });
  // A client that leaves before the file is open takes it away: nobody listens to the stream by then, and an error that
  // nobody hears would end the process.
  body.on('error', () => undefined);
  return Object.assign(body, {
    writeToStream: (res: ServerResponse) => {
      sendPieces(body, size, res)
        .then(
          () => res.end(),
          (error: Error) => res.destroy(error),
        )
        // Not while a piece is read: its file descriptor could belong to another file by then.
        .finally(() => body.destroy());
    },
  });
}

/** Reads and writes at the same time, with two buffers that are used again (`PieceBuffers`). */
async function sendPieces(body: ReadStream, size: number, res: ServerResponse): Promise<void> {
  const fd = await opened(body);
  const lent = size < 2 * PIECE_BYTES ? undefined : pieceBuffers.take(2);
  if (lent === undefined) return sendWith(smallBuffers(size), fd, size, res);
  try {
    await sendWith(lent, fd, size, res);
    pieceBuffers.give(lent);
  } catch (error) {
    // The connection may still send from them, and the next call would fill them with its own file.
    pieceBuffers.forget(lent);
    throw error;
  }
}

const smallBuffers = (size: number): readonly Buffer[] =>
  [0, 1].map(() => Buffer.allocUnsafeSlow(Math.min(SMALL_PIECE_BYTES, size)));

async function sendWith(buffers: readonly Buffer[], fd: number, size: number, res: ServerResponse): Promise<void> {
  let written: Promise<void> = Promise.resolve();
  for (let [at, turn] = [0, 0]; at < size; turn++) {
    const buffer = buffers[turn % 2] as Buffer;
    const { bytesRead } = await readInto(fd, buffer, 0, Math.min(buffer.length, size - at), at);
    await written;
    if (bytesRead === 0) throw new Error(`the file has ${at} bytes in place of ${size}`);
    at += bytesRead;
    written = writePiece(res, buffer.subarray(0, bytesRead));
    // Waited for one piece later.
    written.catch(() => undefined);
  }
  await written;
}

function opened(body: ReadStream): Promise<number> {
  const { fd } = body as ReadStream & { readonly fd: number | null };
  if (typeof fd === 'number') return Promise.resolve(fd);
  return new Promise((resolve, reject) => {
    body.once('open', resolve);
    body.once('error', reject);
    body.once('close', () => reject(new Error('the file was closed')));
  });
}

/** Resolves when the bytes have left the buffer. Rejects when the client has left. */
function writePiece(res: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    res.once('close', reject);
    res.write(piece, (error) => {
      res.off('close', reject);
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}
