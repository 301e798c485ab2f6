/**
 * Decodes UTF-16LE as `toString('utf16le')` does: a byte order mark stays, a byte after the last unit is left out.
 * `toString` itself must not be used: for an odd number of bytes at an odd address, Node 24 writes one byte behind the
 * memory that it allocated (https://github.com/nodejs/node/pull/64697).
 */
export function decodeUtf16Le(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - (bytes.length % 2)).toString('utf16le');
}
