/** Bytes of one buffer. Files that are written in such pieces, at multiples of it, get large pages in the cache. */
export const PIECE_BYTES = 1024 * 1024;
/** All calls together use no more; further ones do without. */
const MOST = 24;
/** Unused buffers are dropped after this time without a large file. */
const SPARE_MS = 5000;

/**
 * Buffers of `PIECE_BYTES` for the bytes of large files between network and disk. They are used again: a new one for
 * each piece would be collected as garbage, and each collection looks at the whole heap.
 */
export class PieceBuffers {
  readonly #spare: Buffer[] = [];
  #lent = 0;
  #dropping: NodeJS.Timeout | undefined;

  constructor(
    private readonly most = MOST,
    private readonly spareMs = SPARE_MS,
  ) {}

  /** Returns this many buffers with any content, or none if they are not left. */
  take(count: number): readonly Buffer[] | undefined {
    if (this.#lent + count > this.most) return undefined;
    this.#lent += count;
    return Array.from({ length: count }, () => this.#spare.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES));
  }

  /** Takes back buffers that nothing reads or writes any more. */
  give(buffers: readonly Buffer[]): void {
    this.#lent -= buffers.length;
    this.#spare.push(...buffers);
    clearTimeout(this.#dropping);
    this.#dropping = setTimeout(() => (this.#spare.length = 0), this.spareMs);
    this.#dropping.unref();
  }

  /** Counts buffers as lent no longer that somebody may still read: nobody gets them again. */
  forget(buffers: readonly Buffer[]): void {
    this.#lent -= buffers.length;
  }

  /** Buffers that were given back and not dropped yet. */
  get spare(): number {
    return this.#spare.length;
  }
}

/** Of this process. */
export const pieceBuffers = new PieceBuffers();
