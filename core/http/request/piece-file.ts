import { open, type FileHandle } from 'node:fs/promises';
import { PIECE_BYTES, type PieceBuffers } from '../piece-buffers.js';

/**
 * A new file that is written in large pieces: bytes are copied into two buffers that are used again, of which one is
 * filled while the other is written. Without buffers, bytes are written as they come. Call `release` in the end.
 */
export class PieceFile {
  readonly #file: Promise<FileHandle>;
  #buffers: readonly Buffer[] | undefined;
  /** Index of the buffer that is filled. */
  #turn = 0;
  #filled = 0;
  #written = 0;
  #released = false;
  /** What is on its way to the disk. */
  #writing: Promise<void> | undefined;

  /** `fail` receives the error of a write that nobody waits for. */
  constructor(
    path: string,
    private readonly pool: PieceBuffers,
    private readonly fail: (error: Error) => void,
  ) {
    this.#file = open(path, 'wx', 0o600);
    this.#file.catch(fail);
    this.#buffers = pool.take(2);
  }

  /** Takes bytes, which the caller may reuse afterwards: at once if nothing is returned, else after the promise. */
  put(bytes: Buffer): Promise<void> | undefined {
    // A caller that waited for a write may come back after the end.
    if (this.#released) return Promise.reject(new Error('the file is closed'));
    if (this.#buffers === undefined) return this.#begin(bytes);
    for (let at = 0; ;) {
      const count = bytes.copy(this.#current(), this.#filled, at);
      this.#filled += count;
      at += count;
      if (this.#filled < PIECE_BYTES) return undefined;
      if (this.#writing !== undefined) return this.#writing.then(() => this.put(bytes.subarray(at)));
      this.#beginPiece();
    }
  }

  /** Writes what is left, and releases. */
  async finish(): Promise<void> {
    await this.#writing;
    if (this.#filled > 0) await this.#beginPiece();
    await this.release();
  }

  /** Closes the file and gives the buffers back when nothing uses them any more. Safe to call twice. */
  async release(): Promise<void> {
    const buffers = this.#buffers;
    this.#buffers = undefined;
    this.#released = true;
    await this.#writing?.catch(() => undefined);
    if (buffers !== undefined) this.pool.give(buffers);
    await this.#file.then(
      (file) => file.close(),
      () => undefined,
    );
  }

  /** The buffer that is filled. */
  #current(): Buffer {
    const buffer = this.#buffers?.[this.#turn];
    if (buffer === undefined) throw new Error('the file has no buffer');
    return buffer;
  }

  #beginPiece(): Promise<void> {
    const piece = this.#current().subarray(0, this.#filled);
    this.#turn = 1 - this.#turn;
    this.#filled = 0;
    return this.#begin(piece);
  }

  #begin(bytes: Buffer): Promise<void> {
    this.#writing = this.#write(bytes).finally(() => (this.#writing = undefined));
    this.#writing.catch(this.fail);
    return this.#writing;
  }

  async #write(bytes: Buffer): Promise<void> {
    const file = await this.#file;
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, this.#written);
      done += bytesWritten;
      this.#written += bytesWritten;
    }
  }
}
