import type { PDFObject } from 'pdf-lib';
import { bounds } from '../../bounds.js';
import { DocumentError } from '../../errors.js';
import { type ObjectStream, openObjectStream } from './object-stream.js';

/** The most bytes of inflated object streams in the cache. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** The object streams of one document, inflated on demand; the most recently used ones are cached. */
export class ObjectStreamCache {
  readonly #streams = new Map<number, ObjectStream | undefined>();
  readonly #opened = new Set<number>();
  #bytes = 0;
  #inflated = 0;
  #again = 0;

  /**
   * Returns an object stream by its number, from the cache if possible; undefined when `find` returns none. Throws
   * PDF_INFLATED_TOTAL above 1 GiB in all or 2 GiB inflated again, and the errors of `decodeStream`.
   */
  get(
    number: number,
    find: () => PDFObject | undefined,
    resolve: (value: PDFObject | undefined) => PDFObject | undefined,
  ): ObjectStream | undefined {
    const known = this.#streams.get(number);
    if (known === undefined && this.#streams.has(number)) return undefined;
    const stream = known ?? openObjectStream(find(), resolve);
    if (known === undefined) this.#count(number, stream);
    // Most recently used streams are last.
    this.#streams.delete(number);
    this.#streams.set(number, stream);
    return stream;
  }

  /** Empties the cache. */
  clear(): void {
    this.#streams.clear();
    this.#bytes = 0;
  }

  #count(number: number, stream: ObjectStream | undefined): void {
    const size = stream?.data.length ?? 0;
    if (this.#opened.has(number)) this.#again += size;
    else this.#inflated += size;
    this.#opened.add(number);
    if (this.#inflated > bounds.inflatedBytes)
      throw new DocumentError('PDF_INFLATED_TOTAL', { limit: bounds.inflatedBytes });
    if (this.#again > bounds.inflatedAgain)
      throw new DocumentError('PDF_INFLATED_TOTAL', { limit: bounds.inflatedAgain });
    this.#bytes += size;
    for (const [oldest, kept] of this.#streams) {
      if (this.#bytes <= MAX_CACHED_BYTES) break;
      this.#streams.delete(oldest);
      this.#bytes -= kept?.data.length ?? 0;
    }
  }
}
