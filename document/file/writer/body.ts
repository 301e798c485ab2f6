import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type PDFDict, type PDFObject, PDFRawStream, type PDFRef, PDFStream } from 'pdf-lib';
import {
  type LockedStream,
  type ObjectCipher,
  underKeptEncryption,
  underNewEncryption,
  withoutCryptFilter,
} from '../encryption/index.js';
import { type LateData, lateData } from '../reader/index.js';
import { ByteWriter } from './byte-writer.js';
import { type Renumber, Serialiser, contentsOf } from './serialize.js';
import type { Sink } from './sink.js';

/** The most bytes that are buffered before they go to the sink. */
const BUFFER_BYTES = 64 * 1024;
/** 16 bytes, as those of MD5, which the standard proposes and which takes twice as long as SHA-256. */
const IDENTIFIER_DIGITS = 32;
const STRETCH = 1024 * 1024;
const SAMPLE = 16 * 1024;

/** Writes indirect objects to a sink one after another and records their positions. */
export class Body {
  readonly out = new ByteWriter();
  readonly #serialiser: Serialiser;
  readonly #hash = createHash('sha256');
  /** The streams that were written encrypted. */
  readonly locked: LockedStream[] = [];

  constructor(
    private readonly sink: Sink,
    private readonly cipher: ObjectCipher | undefined,
    private readonly style: {
      readonly renumber?: Renumber;
      /** True when the cipher belongs to a new encryption. */ readonly renewed?: boolean;
    } = {},
  ) {
    this.#serialiser = new Serialiser(this.out, style.renumber);
  }

  /** Position of the next byte. */
  get position(): number {
    return this.sink.position + this.out.length;
  }

  /** Writes an object under this reference, encrypted unless `plain`. */
  object(ref: PDFRef, object: PDFObject, plain = false): void {
    if (object instanceof PDFStream) {
      this.stream(ref, object.dict, dataOf(object), plain);
      return;
    }
    this.#head(ref);
    this.#serialiser.object(object, this.#stringCipher(ref, plain));
    this.out.text('\nendobj\n');
    if (this.out.length >= BUFFER_BYTES) this.flush();
  }

  /** Writes a stream with this data and its dictionary; /Length is set. */
  stream(ref: PDFRef, dict: PDFDict, data: Data, plain = false): void {
    const { cipher } = this;
    const written =
      cipher === undefined
        ? withoutCryptFilter(dict)
        : (this.style.renewed === true ? underNewEncryption : underKeptEncryption)(dict, (own) =>
            cipher.streamMethod(own),
          );
    const secret = plain || cipher === undefined ? undefined : { cipher, data: bytesOf(data) };
    const bytes = secret?.cipher.encryptStream(ref, written, secret.data) ?? data;
    this.#head(ref);
    this.#serialiser.streamDictionary(written, bytes.length, this.#stringCipher(ref, plain));
    this.out.text('\nstream\n');
    if (secret !== undefined) {
      const [{ position }, { length }, checksum] = [this, bytes, crc32(secret.data)];
      this.locked.push({ ref, dict: written, position, length, checksum });
    }
    this.#data(bytes);
    this.out.text('\nendstream\nendobj\n');
    if (this.out.length >= BUFFER_BYTES) this.flush();
  }

  /** Writes the buffer to the sink. */
  flush(): void {
    const gathered = this.out.view();
    this.#hash.update(gathered);
    this.sink.write(gathered);
    this.out.clear();
  }

  /** A hexadecimal digest of all bytes so far, for the file identifier (ISO 32000-1, 14.4). */
  digest(): string {
    this.flush();
    return this.#hash.copy().digest('hex').slice(0, IDENTIFIER_DIGITS);
  }

  #head(ref: PDFRef): void {
    this.out.text(`${ref.objectNumber} ${ref.generationNumber} obj\n`);
  }

  #stringCipher(ref: PDFRef, plain: boolean): ((bytes: Uint8Array) => Uint8Array) | undefined {
    const { cipher } = this;
    return plain || cipher === undefined ? undefined : (bytes) => cipher.encryptString(ref, bytes);
  }

  #data(data: Data): void {
    if (data.length < BUFFER_BYTES) {
      this.out.bytes(bytesOf(data));
      return;
    }
    this.flush();
    if (data instanceof Uint8Array) {
      this.#sample(data, 0);
      this.sink.write(data, true);
      return;
    }
    let offset = 0;
    for (const piece of data.pieces()) {
      this.#sample(piece, offset);
      this.sink.write(piece);
      offset += piece.length;
    }
  }

  /**
   * Of large data only the beginning of each block is hashed: the identifier only needs to show that two files differ.
   */
  #sample(piece: Uint8Array, offset: number): void {
    for (let at = Math.ceil(offset / STRETCH) * STRETCH - offset; at < piece.length; at += STRETCH)
      this.#hash.update(piece.subarray(at, at + SAMPLE));
  }
}

/** A stream's data: bytes, or data copied from a file in pieces. */
export type Data = Uint8Array | LateData;

/** The data of a stream as it is to be written. */
export function dataOf(stream: PDFStream): Data {
  return (stream instanceof PDFRawStream ? lateData(stream) : undefined) ?? contentsOf(stream);
}

/** The same in memory. */
function bytesOf(data: Data): Uint8Array {
  return data instanceof Uint8Array ? data : data.bytes();
}
