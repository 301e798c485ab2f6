/** The input of a lazy document: bytes in memory, or an object that can fill a buffer from a position (a file). */
export interface LazySource {
  readonly size: number;
  /** Fills the target's first `length` bytes from `position`; false when the source has fewer. */
  read(position: number, length: number, target: Uint8Array): boolean;
  /** All bytes, if there are few; they stay as they are. */
  whole?(): Uint8Array | undefined;
}

const BLOCK = 16 * 1024;
const BLOCKS_KEPT = 128;
/** Searches and copies work on this many bytes at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** Reads parts of a source, so that a reader never needs the whole of it. */
export class ByteWindows {
  readonly size: number;
  readonly #whole: Buffer | undefined;
  readonly #source: LazySource | undefined;
  readonly #blocks = new Map<number, Buffer>();

  constructor(source: Uint8Array | LazySource) {
    const whole = source instanceof Uint8Array ? source : source.whole?.();
    if (whole !== undefined) this.#whole = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
    if (source instanceof Uint8Array) this.size = source.byteLength;
    else {
      this.#source = source;
      this.size = source.size;
    }
  }

  /** All bytes if they are in memory, so that reads return views of them at no cost. */
  get whole(): Buffer | undefined {
    return this.#whole;
  }

  /** The bytes from `start` to `end`, truncated at the end of the source. They are a read-only view. */
  bytes(start: number, end: number): Buffer {
    const from = Math.min(Math.max(0, start), this.size);
    const to = Math.min(Math.max(from, end), this.size);
    if (this.#whole !== undefined) return this.#whole.subarray(from, to);
    const index = Math.floor(from / BLOCK);
    if (to <= (index + 1) * BLOCK) return this.#block(index).subarray(from - index * BLOCK, to - index * BLOCK);
    return this.#read(from, to);
  }

  /**
   * The bytes from `start` to `end`, truncated at the end of the source, in pieces; each is valid until the next is
   * requested.
   */
  *pieces(start: number, end: number): Iterable<Buffer> {
    const to = Math.min(end, this.size);
    if (this.#whole !== undefined) {
      yield this.#whole.subarray(start, to);
      return;
    }
    const target = Buffer.alloc(Math.min(CHUNK_BYTES, Math.max(0, to - start)));
    for (let at = start; at < to; at += target.length) {
      const length = Math.min(target.length, to - at);
      this.#source?.read(at, length, target);
      yield target.subarray(0, length);
    }
  }

  /** The same as Latin-1 text, one character per byte. */
  text(start: number, end: number): string {
    return this.bytes(start, end).toString('latin1');
  }

  /** The first position of a word that begins at or after `from` and before `to`, or -1. */
  indexOf(word: string, from: number, to = this.size): number {
    for (let at = Math.max(0, from); at < to; at += CHUNK_BYTES) {
      const piece = this.bytes(at, Math.min(at + CHUNK_BYTES + word.length - 1, to + word.length - 1));
      const found = piece.indexOf(word, 0, 'latin1');
      if (found >= 0) return at + found;
    }
    return -1;
  }

  #block(index: number): Buffer {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const block = this.#read(index * BLOCK, Math.min(this.size, (index + 1) * BLOCK));
    const oldest = this.#blocks.size >= BLOCKS_KEPT ? this.#blocks.keys().next().value : undefined;
    if (oldest !== undefined) this.#blocks.delete(oldest);
    this.#blocks.set(index, block);
    return block;
  }

  /** Where a source returns fewer bytes than its size says, the rest is zeros. */
  #read(from: number, to: number): Buffer {
    const target = Buffer.alloc(to - from);
    this.#source?.read(from, to - from, target);
    return target;
  }
}
