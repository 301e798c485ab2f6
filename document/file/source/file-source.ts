import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { sizeBefore } from './spent-inputs.js';

/** Parsers read 512 bytes at a time; a few cached blocks save that many system calls. */
const BLOCK_BYTES = 64 * 1024;
const MAX_CACHED_BLOCKS = 12;
/** In bytes: files up to this size are held in memory while they are open, as far as there is room for all of them. */
const [MAX_HELD_FILE, MAX_HELD_BYTES] = [4 * 1024 * 1024, 8 * 1024 * 1024] as const;
let heldBytes = 0;

/** A file on disk as input for readers; of a large one a few blocks are in memory. Close it after use. */
export class FileSource {
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #last: (() => void)[] = [];
  #held: Uint8Array | undefined;
  private constructor(
    readonly fd: number,
    readonly path: string,
    readonly size: number,
  ) {}

  /**
   * Opens a file. All reads are synchronous: parsers cannot be suspended, and they run in worker processes where
   * nothing else waits.
   */
  static open(path: string): FileSource {
    const fd = openSync(path, 'r');
    return new FileSource(fd, path, sizeBefore(path) ?? fstatSync(fd).size);
  }

  /** Takes over a file that is open for reading. */
  static of(fd: number, path: string): FileSource {
    return new FileSource(fd, path, fstatSync(fd).size);
  }

  /** Fills the target's first `length` bytes from `position`; false when the file has fewer. */
  read(position: number, length: number, target: Uint8Array): boolean {
    if (position + length > this.size) return false;
    if (this.#held !== undefined) {
      target.set(this.#held.subarray(position, position + length));
      return true;
    }
    if (length > BLOCK_BYTES) return readSync(this.fd, target, 0, length, position) === length;
    for (let done = 0; done < length;) {
      const at = position + done;
      const block = this.#block(Math.floor(at / BLOCK_BYTES));
      const from = at % BLOCK_BYTES;
      const piece = block.subarray(from, Math.min(block.length, from + length - done));
      if (piece.length === 0) return false;
      target.set(piece, done);
      done += piece.length;
    }
    return true;
  }

  /** The whole file if it is small, for readers that change nothing; undefined for others. */
  whole(): Uint8Array | undefined {
    if (this.#held !== undefined) return this.#held;
    if (this.size > MAX_HELD_FILE || heldBytes + this.size > MAX_HELD_BYTES) return undefined;
    const bytes = this.#all();
    if (bytes.length !== this.size) return undefined;
    heldBytes += bytes.length;
    this.#blocks.clear();
    return (this.#held = bytes);
  }

  /** The whole file, for readers that change nothing. */
  bytes(): Uint8Array {
    return this.whole() ?? this.#all();
  }

  #all(): Uint8Array {
    const bytes = new Uint8Array(this.size);
    let done = 0;
    while (done < bytes.length) {
      const read = readSync(this.fd, bytes, done, bytes.length - done, done);
      if (read === 0) break;
      done += read;
    }
    return bytes.subarray(0, done);
  }

  /** Registers a function that `close` calls first. */
  beforeClose(last: () => void): void {
    this.#last.push(last);
  }

  close(): void {
    for (const last of this.#last) last();
    heldBytes -= this.#held?.length ?? 0;
    this.#held = undefined;
    closeSync(this.fd);
  }

  #block(index: number): Uint8Array {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const bytes = new Uint8Array(Math.min(BLOCK_BYTES, this.size - index * BLOCK_BYTES));
    const read = readSync(this.fd, bytes, 0, bytes.length, index * BLOCK_BYTES);
    const block = bytes.subarray(0, read);
    const oldest = this.#blocks.size >= MAX_CACHED_BLOCKS ? this.#blocks.keys().next().value : undefined;
    if (oldest !== undefined) this.#blocks.delete(oldest);
    this.#blocks.set(index, block);
    return block;
  }
}
