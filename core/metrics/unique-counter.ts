/** Bits of the digests that are counted (`sessionDigest`). */
const DIGEST_BITS = 48;

/**
 * How many different digests are counted exactly, and the precision beyond that: the sketch has `2 ** precision` bytes
 * and an error of 1.04 / sqrt of that.
 */
export interface UniqueSize {
  readonly exact: number;
  readonly precision: number;
}

/**
 * Counts different digests in bounded memory: exactly at first, then as an estimate by a HyperLogLog sketch (Flajolet,
 * Fusy, Gandouet, Meunier 2007, with its linear counting of small ranges). A flood of made-up sessions costs a fixed
 * number of bytes.
 */
export class UniqueCounter {
  #exact: Set<number> | undefined = new Set();
  #registers: Uint8Array | undefined;

  constructor(private readonly size: UniqueSize) {}

  /** Counts a digest of 48 random bits; repeated digests change nothing. */
  add(digest: number): void {
    if (this.#registers !== undefined) {
      this.#mark(this.#registers, digest);
      return;
    }
    this.#exact?.add(digest);
    if (this.#exact === undefined || this.#exact.size <= this.size.exact) return;
    const registers = new Uint8Array(2 ** this.size.precision);
    for (const known of this.#exact) this.#mark(registers, known);
    this.#registers = registers;
    this.#exact = undefined;
  }

  /** The number of different digests so far, a whole number. */
  get count(): number {
    return this.#exact?.size ?? estimate(this.#registers ?? new Uint8Array(1));
  }

  /** The low bits choose a register, which keeps the longest run of leading zeros in the other bits. */
  #mark(registers: Uint8Array, digest: number): void {
    const at = digest % registers.length;
    const rest = Math.floor(digest / registers.length);
    const rank = DIGEST_BITS - this.size.precision - (rest === 0 ? 0 : Math.floor(Math.log2(rest)) + 1) + 1;
    if (rank > (registers[at] ?? 0)) registers[at] = rank;
  }
}

function estimate(registers: Uint8Array): number {
  const m = registers.length;
  let sum = 0;
  let empty = 0;
  for (const rank of registers) {
    sum += 2 ** -rank;
    if (rank === 0) empty++;
  }
  const raw = ((0.7213 / (1 + 1.079 / m)) * m * m) / sum;
  return Math.round(raw <= 2.5 * m && empty > 0 ? m * Math.log(m / empty) : raw);
}
