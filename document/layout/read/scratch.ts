import { type Pdfium, type PdfiumRuntime, withMemory } from '../../engines/pdfium/index.js';

const SIZE = 4096;

/** Memory of the engine into which it writes its answers; valid inside `withScratch` only. */
export class Scratch {
  readonly size = SIZE;
  #heap: Uint8Array | undefined;
  #floats: Float32Array = new Float32Array(0);
  #doubles: Float64Array = new Float64Array(0);
  #words: Int32Array = new Int32Array(0);

  readonly #runtime: PdfiumRuntime;

  constructor(
    readonly pdfium: Pdfium,
    readonly at: number,
  ) {
    this.#runtime = pdfium.pdfium;
  }

  /** Views are recreated when the heap has grown and moved: the engine then has another object for it. */
  #view(): void {
    const { HEAPU8 } = this.#runtime;
    if (this.#heap === HEAPU8) return;
    this.#heap = HEAPU8;
    this.#floats = new Float32Array(HEAPU8.buffer, this.at, SIZE / 4);
    this.#doubles = new Float64Array(HEAPU8.buffer, this.at, SIZE / 8);
    this.#words = new Int32Array(HEAPU8.buffer, this.at, SIZE / 4);
  }

  /** 32-bit floats from the start of the memory. Like the other views, valid until the next call of the engine. */
  get floats(): Float32Array {
    this.#view();
    return this.#floats;
  }

  get doubles(): Float64Array {
    this.#view();
    return this.#doubles;
  }

  get words(): Int32Array {
    this.#view();
    return this.#words;
  }

  /**
   * A text that the engine gives: `call` gets memory and its size, and gives the length in bytes with the closing zero.
   * Longer texts than the memory holds are asked for again with memory of their own, up to 1 MiB.
   */
  text(call: (at: number, size: number) => number, encoding: 'utf-16le' | 'utf-8'): string {
    const length = call(this.at, SIZE);
    const zero = encoding === 'utf-8' ? 1 : 2;
    if (length <= zero || length > 1024 * 1024) return '';
    const read = (at: number): string =>
      new TextDecoder(encoding).decode(this.pdfium.pdfium.HEAPU8.slice(at, at + length - zero));
    if (length <= SIZE) return read(this.at);
    return withMemory(this.pdfium, length, (at) => (call(at, length) === length ? read(at) : ''));
  }
}

/** Runs `fn` with memory for answers and frees it. */
export function withScratch<T>(pdfium: Pdfium, fn: (scratch: Scratch) => T): T {
  return withMemory(pdfium, SIZE, (at) => fn(new Scratch(pdfium, at)));
}
