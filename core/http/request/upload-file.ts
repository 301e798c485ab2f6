import { createWriteStream, writeFileSync, type WriteStream } from 'node:fs';
import { Writable } from 'node:stream';

/** A file that is no larger is gathered and written at once: each turn in the thread pool costs more than its bytes. */
const SMALL_BYTES = 64 * 1024;
/** What has to be known of a file to recognise its kind. */
const HEAD_BYTES = 1029;

type Done = (error?: Error | null) => void;

/** An uploaded file on its way to the disk. */
export class UploadFile extends Writable {
  #held: Buffer[] = [];
  #file: WriteStream | undefined;
  #size = 0;
  #head: Buffer = Buffer.alloc(0);

  /** `path`: of a file that does not exist yet. */
  constructor(readonly path: string) {
    super({ highWaterMark: SMALL_BYTES });
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
    this.#take([chunk], done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: Done): void {
    this.#take(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  #take(chunks: readonly Buffer[], done: Done): void {
    for (const chunk of chunks) {
      if (this.#head.length < HEAD_BYTES)
        this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)]);
      this.#size += chunk.length;
    }
    if (this.#file !== undefined) return writeAll(this.#file, chunks, done);
    this.#held.push(...chunks);
    if (this.#size <= SMALL_BYTES) return done();
    this.#file = createWriteStream(this.path, { flags: 'wx', mode: 0o600 });
    this.#file.on('error', (error) => this.destroy(error));
    writeAll(this.#file, this.#held, done);
    this.#held = [];
  }

  override _final(done: Done): void {
    if (this.#file !== undefined) {
      this.#file.end(done);
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
    if (this.#file === undefined || this.#file.closed) return done(error);
    this.#file.once('close', () => done(error));
    this.#file.destroy();
  }
}

/** Writes chunks with one call of the system. */
function writeAll(file: WriteStream, chunks: readonly Buffer[], done: Done): void {
  file.cork();
  chunks.forEach((chunk, i) => (i === chunks.length - 1 ? file.write(chunk, done) : file.write(chunk)));
  file.uncork();
}
