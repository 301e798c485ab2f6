import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFRawStream,
  type PDFRef,
  PDFString,
} from 'pdf-lib';
import { DeferredStream } from '../streams/index.js';
import type { ObjectCipher } from './cipher.js';
import { withoutCryptFilter } from './crypt-filters.js';

/** Decrypted streams up to this size are kept with the object; of larger ones only the last is. */
const MAX_CACHED_BYTES = 16 * 1024;
const BYTE_RANGE = PDFName.of('ByteRange');
const CONTENTS = PDFName.of('Contents');

type Text = PDFString | PDFHexString;

const lastDecrypted = new WeakMap<ObjectCipher, { readonly stream: PDFRawStream; readonly bytes: Uint8Array }>();

/**
 * Decrypts the strings of an object of the file in place and returns the object (a new one for a string). Strings in
 * object streams and in the encryption dictionary are not encrypted.
 */
export function decryptStrings(cipher: ObjectCipher, ref: PDFRef, object: PDFObject): PDFObject {
  const plain = (text: Text): Text => sameKind(text, cipher.decryptString(ref, stringBytes(text)));
  const walk = (value: PDFObject): PDFObject => {
    if (isText(value)) return plain(value);
    if (value instanceof PDFArray) {
      for (let i = 0; i < value.size(); i++) {
        const element = value.get(i);
        if (isText(element)) value.set(i, plain(element));
        else walk(element);
      }
    } else if (value instanceof PDFDict) {
      const signed = value.has(BYTE_RANGE);
      for (const [key, element] of value.entries()) {
        if (!isText(element)) walk(element);
        // A signature's value is excluded from the signed bytes, so it must not change (ISO 32000-1, 7.6.1).
        else if (!signed || key !== CONTENTS) value.set(key, plain(element));
      }
    }
    return value;
  };
  return walk(object);
}

/**
 * Returns a stream whose `contents` are decrypted on access. A /Crypt filter is removed from its dictionary, unless the
 * data would then be written with weaker protection. The dictionary's strings are not decrypted, and its /Length stays
 * that of the ciphertext.
 */
export function decryptStream(cipher: ObjectCipher, ref: PDFRef, stream: PDFRawStream): PDFRawStream {
  const { dict } = stream;
  const bare = withoutCryptFilter(dict);
  if (bare === dict) return new DecryptedStream(dict, cipher, ref, stream);
  const method = cipher.streamMethod(dict);
  const removes = method === 'none' || cipher.streamMethod(bare) === method;
  return new DecryptedStream(removes ? bare : dict, cipher, ref, stream);
}

class DecryptedStream extends DeferredStream {
  #kept: Uint8Array | undefined;

  constructor(
    dict: PDFDict,
    private readonly cipher: ObjectCipher,
    private readonly ref: PDFRef,
    readonly original: PDFRawStream,
  ) {
    super(dict);
  }

  protected load(): Uint8Array {
    if (this.#kept !== undefined) return this.#kept;
    const { cipher, original } = this;
    const last = lastDecrypted.get(cipher);
    if (last?.stream === this) return last.bytes;
    const bytes = cipher.decryptStream(this.ref, original.dict, original.contents);
    if (bytes.length <= MAX_CACHED_BYTES) this.#kept = bytes;
    else lastDecrypted.set(cipher, { stream: this, bytes });
    return bytes;
  }
}

/** The encrypted bytes of a stream from the file; undefined for one that `decryptStream` did not create. */
export const ciphertextOf = (stream: PDFRawStream): Uint8Array | undefined =>
  stream instanceof DecryptedStream ? stream.original.contents : undefined;

/** The bytes of a string object. */
export function stringBytes(text: Text): Uint8Array {
  const value = text.asString();
  if (text instanceof PDFHexString) return Buffer.from(value.length % 2 === 0 ? value : `${value}0`, 'hex');
  return value.includes('\\') ? text.asBytes() : Buffer.from(value, 'latin1');
}

function isText(value: PDFObject | undefined): value is Text {
  return value instanceof PDFString || value instanceof PDFHexString;
}

function sameKind(text: Text, bytes: Uint8Array): Text {
  return text instanceof PDFHexString ? PDFHexString.of(Buffer.from(bytes).toString('hex')) : literal(bytes);
}

/** A literal string of these bytes (ISO 32000-1, 7.3.4.2). */
function literal(bytes: Uint8Array): PDFString {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return PDFString.of(
    /[\\()\r]/.test(text)
      ? text.replaceAll(/[\\()\r]/g, (character) => (character === '\r' ? '\\r' : `\\${character}`))
      : text,
  );
}
