import { createHash } from 'node:crypto';
import { type PDFDict, PDFName, PDFNumber, type PDFObject, type PDFRef, PDFStream } from 'pdf-lib';
import { type ObjectCipher, withoutCryptFilter } from '../encryption/index.js';
import { ByteWriter } from './byte-writer.js';
import { type Renumber, type Replaced, Serialiser, contentsOf } from './serialize.js';
import type { Sink } from './sink.js';

const LENGTH = PDFName.of('Length');
/** Bytes gather up to here before they go to the sink. */
const GATHERED = 64 * 1024;
/** A stream larger than two of these counts in the identifier by its length, its beginning and its end. */
const SAMPLE = 64 * 1024;

/** Writes indirect objects one behind the other into a sink, and knows where each begins. */
export class Body {
  readonly out = new ByteWriter(2 * GATHERED);
  readonly #serialiser: Serialiser;
  readonly #hash = createHash('md5');

  constructor(
    private readonly sink: Sink,
    private readonly cipher: ObjectCipher | undefined,
    renumber?: Renumber,
  ) {
    this.#serialiser = new Serialiser(this.out, renumber);
  }

  /** Where the next byte will stand. */
  get position(): number {
    return this.sink.position + this.out.length;
  }

  /** Writes an object under this reference, encrypted unless it is said to be plain. */
  object(ref: PDFRef, object: PDFObject, plain = false): void {
    if (object instanceof PDFStream) {
      this.stream(ref, object.dict, contentsOf(object), new Map(), plain);
      return;
    }
    this.#head(ref);
    this.#serialiser.object(object, this.#stringCipher(ref, plain));
    this.out.text('\nendobj\n');
    if (this.out.length >= GATHERED) this.flush();
  }

  /** Writes a stream with this data, which is its dictionary's but for the replaced entries; /Length is set. */
  stream(ref: PDFRef, dict: PDFDict, data: Uint8Array, replaced: Replaced, plain = false): void {
    const bytes = plain || this.cipher === undefined ? data : this.cipher.encryptStream(ref, dict, data);
    this.#head(ref);
    this.#serialiser.dictionary(this.cipher === undefined ? withoutCryptFilter(dict) : dict, new Map([...replaced, [LENGTH, PDFNumber.of(bytes.length)]]), this.#stringCipher(ref, plain));
    this.out.text('\nstream\n');
    if (bytes.length < GATHERED) {
      this.out.bytes(bytes);
    } else {
      this.flush();
      this.#sample(bytes);
      this.sink.write(bytes, true);
    }
    this.out.text('\nendstream\nendobj\n');
    if (this.out.length >= GATHERED) this.flush();
  }

  /** Hands what has gathered to the sink. */
  flush(): void {
    const gathered = this.out.view();
    this.#hash.update(gathered);
    this.sink.write(gathered);
    this.out.clear();
  }

  /** A digest of all that was written so far, as hexadecimal digits: what a file identifier wants (ISO 32000-1, 14.4). */
  digest(): string {
    this.flush();
    return this.#hash.copy().digest('hex');
  }

  #head(ref: PDFRef): void {
    this.out.text(`${ref.objectNumber} ${ref.generationNumber} obj\n`);
  }

  #stringCipher(ref: PDFRef, plain: boolean): ((bytes: Uint8Array) => Uint8Array) | undefined {
    const { cipher } = this;
    return plain || cipher === undefined ? undefined : (bytes) => cipher.encryptString(ref, bytes);
  }

  #sample(bytes: Uint8Array): void {
    if (bytes.length <= 2 * SAMPLE) this.#hash.update(bytes);
    else this.#hash.update(bytes.subarray(0, SAMPLE)).update(bytes.subarray(bytes.length - SAMPLE));
  }
}
