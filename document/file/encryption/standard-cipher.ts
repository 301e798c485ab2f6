import { createHash } from 'node:crypto';
import type { PDFDict, PDFRef } from 'pdf-lib';
import { decryptCbc, encryptCbc, type Random, vectorBytes } from './aes.js';
import type { CryptMethod, ObjectCipher } from './cipher.js';
import { type CryptFilters, streamMethod } from './crypt-filters.js';
import { rc4 } from './rc4.js';

const SALT = Buffer.from('sAlT', 'latin1');

/** The cipher of the standard security handler: one file key, and methods for strings and for the kinds of streams. */
export class StandardCipher implements ObjectCipher {
  readonly #hashed: Uint8Array;
  /** The last derived key: an object's strings follow one another. */
  #last: { readonly ref: PDFRef; readonly method: CryptMethod; readonly key: Uint8Array } | undefined;

  constructor(
    private readonly fileKey: Uint8Array,
    private readonly filters: CryptFilters,
    private readonly random: Random = vectorBytes,
  ) {
    this.#hashed = new Uint8Array(fileKey.length + 9);
    this.#hashed.set(fileKey);
    this.#hashed.set(SALT, fileKey.length + 5);
  }

  streamMethod(dict: PDFDict): CryptMethod {
    return streamMethod(this.filters, dict);
  }

  decryptString(ref: PDFRef, bytes: Uint8Array): Uint8Array {
    return this.#decrypt(this.filters.strings, ref, bytes);
  }

  decryptStream(ref: PDFRef, dict: PDFDict, bytes: Uint8Array): Uint8Array {
    return this.#decrypt(this.streamMethod(dict), ref, bytes);
  }

  encryptString(ref: PDFRef, bytes: Uint8Array): Uint8Array {
    return this.#encrypt(this.filters.strings, ref, bytes);
  }

  encryptStream(ref: PDFRef, dict: PDFDict, bytes: Uint8Array): Uint8Array {
    return this.#encrypt(this.streamMethod(dict), ref, bytes);
  }

  #decrypt(method: CryptMethod, ref: PDFRef, bytes: Uint8Array): Uint8Array {
    if (method === 'none') return bytes;
    const key = this.#key(method, ref);
    return method === 'RC4' ? rc4(key, bytes) : decryptCbc(key, bytes);
  }

  #encrypt(method: CryptMethod, ref: PDFRef, bytes: Uint8Array): Uint8Array {
    if (method === 'none') return bytes;
    const key = this.#key(method, ref);
    return method === 'RC4' ? rc4(key, bytes) : encryptCbc(key, bytes, this.random);
  }

  /**
   * The key for an object: derived from its number and generation, or for AES-256 the file's key (ISO 32000-1, 7.6.2,
   * algorithm 1; 32000-2, 1.A).
   */
  #key(method: CryptMethod, ref: PDFRef): Uint8Array {
    // Falls back to the older method when the key is too short.
    if (method === 'AESV3' && this.fileKey.length === 32) return this.fileKey;
    if (this.#last?.ref === ref && this.#last.method === method) return this.#last.key;
    const { objectNumber: number, generationNumber: generation } = ref;
    const { length } = this.fileKey;
    this.#hashed.set([number, number >> 8, number >> 16, generation, generation >> 8], length);
    const hash = createHash('md5')
      .update(this.#hashed.subarray(0, method === 'RC4' ? length + 5 : length + 9))
      .digest();
    // AES-128 needs sixteen bytes, even where a file declares a shorter key.
    const key = hash.subarray(0, method === 'RC4' ? Math.min(length + 5, 16) : 16);
    this.#last = { ref, method, key };
    return key;
  }
}
