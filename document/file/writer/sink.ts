import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  linkSync,
  openSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';

/** The output of a writer. */
export interface Sink {
  /** Bytes written so far: the position of the next one. */
  readonly position: number;
  /** Writes bytes. `lasting` ones are never changed later, so that a sink may keep them without a copy. */
  write(bytes: Uint8Array, lasting?: boolean): void;
}

const BUFFER = 256 * 1024;
/** From this size on, bytes are written directly, or kept without a copy. */
const DIRECT_WRITE_MIN_BYTES = 64 * 1024;

/** The buffer of the last closed file, for reuse: hundreds of small files need no buffer each. */
let spare: Buffer | undefined;

function takeBuffer(): Buffer {
  const buffer = spare ?? Buffer.allocUnsafeSlow(BUFFER);
  spare = undefined;
  return buffer;
}

/** A new file. Call `close`, or `discard` when the work failed. */
export class FileSink implements Sink {
  readonly #fd: number;
  readonly #buffer = takeBuffer();
  #filled = 0;
  #written = 0;
  #closed = false;

  private constructor(
    readonly path: string,
    fd: number,
  ) {
    this.#fd = fd;
    this.#written = fstatSync(fd).size;
  }

  /** Creates a file that only its owner may read; it must not exist. */
  static create(path: string): FileSink {
    return new FileSink(path, openSync(path, 'wx+', 0o600));
  }

  /**
   * Creates a file that begins as a copy of another, made by the operating system; for `appendTo` with a document of
   * that file. `size`: its bytes, where a result that continues it has added some since.
   */
  static copyOf(original: string, path: string, size?: number): FileSink {
    copyFileSync(original, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    chmodSync(path, 0o600);
    if (size !== undefined) truncateSync(path, size);
    // No O_APPEND: positions are given.
    return new FileSink(path, openSync(path, 'r+'));
  }

  /**
   * The same without a copy: another name of the original, which what is written changes too. A copy where the file
   * system allows no further name.
   */
  static continuationOf(original: string, path: string): FileSink {
    try {
      linkSync(original, path);
    } catch {
      return FileSink.copyOf(original, path);
    }
    return new FileSink(path, openSync(path, 'r+'));
  }

  get position(): number {
    return this.#written + this.#filled;
  }

  write(bytes: Uint8Array): void {
    if (this.#filled + bytes.length > BUFFER) this.#flush();
    if (bytes.length >= DIRECT_WRITE_MIN_BYTES) {
      this.#flush();
      this.#writeAll(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  close(): void {
    if (!this.#closed) closeSync(this.release());
  }

  /** Flushes and returns the file descriptor, also open for reading; the caller must close it. */
  release(): number {
    try {
      this.#flush();
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    } finally {
      this.#closed = true;
      spare = this.#buffer;
    }
    return this.#fd;
  }

  /** Removes the file: half a document is useless. */
  discard(): void {
    if (!this.#closed) closeSync(this.#fd);
    this.#closed = true;
    rmSync(this.path, { force: true });
  }

  #flush(): void {
    const filled = this.#buffer.subarray(0, this.#filled);
    this.#filled = 0;
    this.#writeAll(filled);
  }

  #writeAll(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) {
      const count = writeSync(this.#fd, bytes, done, bytes.length - done, this.#written);
      done += count;
      this.#written += count;
    }
  }
}

/** Counts bytes without keeping them, to measure a document. */
export class CountingSink implements Sink {
  position = 0;

  write(bytes: Uint8Array): void {
    this.position += bytes.length;
  }
}

/** Bytes in memory. */
export class MemorySink implements Sink {
  readonly #pieces: Uint8Array[] = [];
  #buffer = Buffer.allocUnsafe(DIRECT_WRITE_MIN_BYTES);
  #filled = 0;
  #written = 0;

  get position(): number {
    return this.#written + this.#filled;
  }

  write(bytes: Uint8Array, lasting = false): void {
    if (bytes.length >= DIRECT_WRITE_MIN_BYTES) {
      this.#flush();
      this.#keep(lasting ? bytes : Uint8Array.from(bytes));
      return;
    }
    if (this.#filled + bytes.length > this.#buffer.length) {
      this.#flush();
      // Doubles the size: few chunks, however large the output.
      this.#buffer = Buffer.allocUnsafe(Math.min(16 * 1024 * 1024, Math.max(DIRECT_WRITE_MIN_BYTES, this.#written)));
    }
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  /** All bytes written. */
  bytes(): Uint8Array {
    this.#flush();
    return Buffer.concat(this.#pieces, this.#written);
  }

  #flush(): void {
    this.#keep(this.#buffer.subarray(0, this.#filled));
    this.#buffer = this.#buffer.subarray(this.#filled);
    this.#filled = 0;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#written += bytes.length;
  }
}
