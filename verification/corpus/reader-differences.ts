/**
 * Objects of the corpus that two readers may legitimately read differently, by file and reference, each with the reason
 * and the evidence for our reading.
 */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'pyHanko/broken-objstream4.pdf': {
    '6 0 R':
      'the cross-reference points to a place in an object stream that holds another object; ours finds the ' +
      'stream `6 0 obj` in the file, qpdf returns null',
    '5 0 R': 'its /Contents is object 6 (see above); qpdf omits the entry',
  },
  'pyHanko/embedded-encrypted-nocf.pdf': {
    '7 0 R':
      'ours decrypts the embedded file according to /EFF (ISO 32000-1, table 20), and its MD5 equals ' +
      '/CheckSum; qpdf leaves it encrypted',
  },
  'qpdf/minimal-signed-restricted.pdf': {
    '26 0 R':
      'ours removes the filter /Crypt from a stream that it returns decrypted (here Identity, XMP in plain ' +
      'text); qpdf leaves it',
  },
  'dss/encrypted.pdf': {
    '1 0 R':
      'ours does not decrypt /Contents of the signature, which is never encrypted (ISO 32000-2, 7.6.2), and ' +
      'its bytes are a DER SignedData; qpdf decrypts it to noise',
  },
  'qpdf/no-space-compressed-object.pdf': {
    '7 0 R':
      'a number in an object stream that runs into the next object: ours ends it where the next begins (1234), ' +
      'as MuPDF does; qpdf 11 reads both as one',
  },
};

/** Reason why the reader and qpdf differ on an object of a good file; undefined where they must agree. */
export function differenceReason(file: string, object: string): string | undefined {
  return reasons[file]?.[object];
}

/** References of the objects in a file that are known to differ. */
export function knownDifferences(file: string): readonly string[] {
  return Object.keys(reasons[file] ?? {});
}
