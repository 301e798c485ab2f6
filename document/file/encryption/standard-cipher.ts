import { hash } from 'node:crypto';
import type { PDFDict, PDFRef } from 'pdf-lib';
import { AesKey, decryptCbc, encryptCbc, type Random, vectorBytes } from './aes.js';
import type { CryptMethod, ObjectCipher } from './cipher.js';
import { type CryptFilters, streamMethod } from './crypt-filters.js';
import { rc4 } from './rc4.js';

const SALT = Buffer.from('sAlT', 'latin1');

/** The cipher of the standard security handler: one file key, and methods for strings and for the kinds of streams. */
export class StandardCipher implements ObjectCipher {
  readonly #hashed: Uint8Array;
  /** The keys of the last object: its strings follow one another. */
  #last: { readonly ref: PDFRef; rc4?: Uint8Array; aes?: AesKey } | undefined;
  #fileAesKey: AesKey | undefined;

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
    return method === 'RC4' ? rc4(this.#rc4Key(ref), bytes) : decryptCbc(this.#aesKey(method, ref), bytes);
  }

  #encrypt(method: CryptMethod, ref: PDFRef, bytes: Uint8Array): Uint8Array {
    if (method === 'none') return bytes;
    return method === 'RC4' ? rc4(this.#rc4Key(ref), bytes) : encryptCbc(this.#aesKey(method, ref), bytes, this.random);
  }

  #rc4Key(ref: PDFRef): Uint8Array {
    const { length } = this.fileKey;
    return (this.#keysOf(ref).rc4 ??= this.#derived(ref, length + 5).subarray(0, Math.min(length + 5, 16)));
  }

  /** The file's key for AES-256, one for each object for AES-128. */
  #aesKey(method: CryptMethod, ref: PDFRef): AesKey {
    const { fileKey } = this;
    // Falls back to the older method when the key is too short.
    if (method === 'AESV3' && fileKey.length === 32) return (this.#fileAesKey ??= new AesKey(fileKey));
    // Of sixteen bytes, even where a file declares a shorter key.
    return (this.#keysOf(ref).aes ??= new AesKey(this.#derived(ref, fileKey.length + 9)));
  }

  #keysOf(ref: PDFRef): { rc4?: Uint8Array; aes?: AesKey } {
    if (this.#last?.ref !== ref) this.#last = { ref };
    return this.#last;
  }

  /**
   * Sixteen bytes derived from the file's key and an object's number and generation (ISO 32000-1, 7.6.2, algorithm 1;
   * 32000-2, 1.A). `bytes`: how many are hashed; the last four of all are for AES only.
   */
  #derived({ objectNumber: number, generationNumber: generation }: PDFRef, bytes: number): Buffer {
    this.#hashed.set([number, number >> 8, number >> 16, generation, generation >> 8], this.fileKey.length);
    return hash('md5', this.#hashed.subarray(0, bytes), 'buffer');
  }
}
