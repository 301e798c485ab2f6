import { writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { pieceBuffers, type PieceBuffers } from '../piece-buffers.js';
import { giveBack } from './give-back.js';
import { PieceFile } from './piece-file.js';

/** A file that is no larger is gathered and written at once: each turn in the thread pool costs more than its bytes. */
const SMALL_BYTES = 64 * 1024;
/** Bytes that may wait while the disk is slower than the network. */
const WAITING_BYTES = 256 * 1024;
/** What has to be known of a file to recognise its kind. */
const HEAD_BYTES = 1029;

type Done = (error?: Error | null) => void;

/** An uploaded file on its way to the disk. Chunks of a large file are empty after they were written (`giveBack`). */
export class UploadFile extends Writable {
  #held: Buffer[] = [];
  #file: PieceFile | undefined;
  #size = 0;
  #head: Buffer = Buffer.alloc(0);

  /** `path`: of a file that does not exist yet. */
  constructor(
    readonly path: string,
    private readonly buffers: PieceBuffers = pieceBuffers,
  ) {
    super({ highWaterMark: WAITING_BYTES });
  }

  /** Its bytes until now. */
  get size(): number {
    return this.#size;
  }

  /** Its first bytes. */
  get head(): Buffer {
    return this.#head;
  }

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    if (this.#head.length < HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)]);
    this.#size += chunk.length;
    if (this.#file !== undefined) return put(this.#file, chunk, done);
    this.#held.push(chunk);
    if (this.#size <= SMALL_BYTES) return done();
    this.#file = new PieceFile(this.path, this.buffers, (error) => this.destroy(error));
    const held = this.#held.length === 1 ? chunk : Buffer.concat(this.#held);
    this.#held = [];
    put(this.#file, held, done);
  }

  override _final(done: Done): void {
    if (this.#file !== undefined) {
      this.#file.finish().then(() => done(), done);
      return;
    }
    try {
      writeFileSync(this.path, Buffer.concat(this.#held), { flag: 'wx', mode: 0o600 });
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#held = [];
    if (this.#file === undefined) return done(error);
    this.#file.release().then(() => done(error), done);
  }
}

function put(file: PieceFile, chunk: Buffer, done: Done): void {
  const written = (): void => {
    giveBack(chunk);
    done();
  };
  const waiting = file.put(chunk);
  if (waiting === undefined) written();
  else waiting.then(written, done);
}
