/**
 * States of the probability estimation (ITU-T T.88, table E.1): the size of the less probable symbol, the next states
 * after a more and a less probable symbol, and whether their senses are exchanged.
 */
const STATES: readonly (readonly [qe: number, nextMore: number, nextLess: number, exchange: 0 | 1])[] = [
  [0x5601, 1, 1, 1],
  [0x3401, 2, 6, 0],
  [0x1801, 3, 9, 0],
  [0x0ac1, 4, 12, 0],
  [0x0521, 5, 29, 0],
  [0x0221, 38, 33, 0],
  [0x5601, 7, 6, 1],
  [0x5401, 8, 14, 0],
  [0x4801, 9, 14, 0],
  [0x3801, 10, 14, 0],
  [0x3001, 11, 17, 0],
  [0x2401, 12, 18, 0],
  [0x1c01, 13, 20, 0],
  [0x1601, 29, 21, 0],
  [0x5601, 15, 14, 1],
  [0x5401, 16, 14, 0],
  [0x5101, 17, 15, 0],
  [0x4801, 18, 16, 0],
  [0x3801, 19, 17, 0],
  [0x3401, 20, 18, 0],
  [0x3001, 21, 19, 0],
  [0x2801, 22, 19, 0],
  [0x2401, 23, 20, 0],
  [0x2201, 24, 21, 0],
  [0x1c01, 25, 22, 0],
  [0x1801, 26, 23, 0],
  [0x1601, 27, 24, 0],
  [0x1401, 28, 25, 0],
  [0x1201, 29, 26, 0],
  [0x1101, 30, 27, 0],
  [0x0ac1, 31, 28, 0],
  [0x09c1, 32, 29, 0],
  [0x08a1, 33, 30, 0],
  [0x0521, 34, 31, 0],
  [0x0441, 35, 32, 0],
  [0x02a1, 36, 33, 0],
  [0x0221, 37, 34, 0],
  [0x0141, 38, 35, 0],
  [0x0111, 39, 36, 0],
  [0x0085, 40, 37, 0],
  [0x0049, 41, 38, 0],
  [0x0025, 42, 39, 0],
  [0x0015, 43, 40, 0],
  [0x0009, 44, 41, 0],
  [0x0005, 45, 42, 0],
  [0x0001, 45, 43, 0],
  [0x5601, 46, 46, 0],
];
/** By context value: twice the number of a state, plus the more probable symbol. */
const QE = Uint16Array.from(STATES.flatMap(([qe]) => [qe, qe]));
const AFTER_MORE = Uint8Array.from(STATES.flatMap(([, more]) => [2 * more, 2 * more + 1]));
const AFTER_LESS = Uint8Array.from(
  STATES.flatMap(([, , less, exchange]) => [2 * less + exchange, 2 * less + (1 - exchange)]),
);

/** The arithmetic encoder of JBIG2 (ITU-T T.88, annex E; the MQ coder), with contexts of its own. */
export class ArithmeticEncoder {
  readonly #contexts: Uint8Array;
  #out = new Uint8Array(64 * 1024);
  #length = 0;
  /** The byte that a carry may still change; none before the first one is complete. */
  #pending = -1;
  #interval = 0x8000;
  #code = 0;
  #shifts = 12;

  constructor(contexts: number) {
    this.#contexts = new Uint8Array(contexts);
  }

  /** Encodes a decision, 0 or 1, in a context. */
  encode(context: number, bit: number): void {
    const state = this.#contexts[context]!;
    const size = QE[state]!;
    this.#interval -= size;
    if (bit === (state & 1)) {
      if (this.#interval >= 0x8000) {
        this.#code += size;
        return;
      }
      if (this.#interval < size) this.#interval = size;
      else this.#code += size;
      this.#contexts[context] = AFTER_MORE[state]!;
    } else {
      if (this.#interval < size) this.#code += size;
      else this.#interval = size;
      this.#contexts[context] = AFTER_LESS[state]!;
    }
    do {
      this.#interval <<= 1;
      this.#code <<= 1;
      if (--this.#shifts === 0) this.#byteOut();
    } while (this.#interval < 0x8000);
  }

  /** Ends the data with its marker (FLUSH) and returns it. */
  end(): Uint8Array {
    const limit = this.#code + this.#interval;
    this.#code |= 0xffff;
    if (this.#code >= limit) this.#code -= 0x8000;
    for (let i = 0; i < 2; i++) {
      this.#code <<= this.#shifts;
      this.#byteOut();
    }
    if (this.#pending !== 0xff) this.#push(this.#pending);
    this.#push(0xff);
    this.#push(0xac);
    return this.#out.subarray(0, this.#length);
  }

  #byteOut(): void {
    if (this.#pending !== 0xff && this.#code >= 0x8000000) {
      // The byte before is never 0xff here, so the carry ends there.
      this.#pending++;
      this.#code &= 0x7ffffff;
    }
    const stuffed = this.#pending === 0xff;
    if (this.#pending >= 0) this.#push(this.#pending);
    const bits = stuffed ? 20 : 19;
    this.#pending = this.#code >> bits;
    this.#code &= (1 << bits) - 1;
    this.#shifts = stuffed ? 7 : 8;
  }

  #push(byte: number): void {
    if (this.#length === this.#out.length) {
      const longer = new Uint8Array(2 * this.#out.length);
      longer.set(this.#out);
      this.#out = longer;
    }
    this.#out[this.#length++] = byte;
  }
}
