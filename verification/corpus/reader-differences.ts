/**
 * Objects of the corpus that two readers may rightly read differently, by file and reference, each with the reason and
 * what speaks for ours.
 */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'pyHanko/broken-objstream4.pdf': {
    '6 0 R':
      'the cross-reference names a place in an object stream that holds another object; ours finds the stream ' +
      '`6 0 obj` in the file, qpdf gives null',
    '5 0 R': 'its /Contents is object 6, see there; qpdf leaves out the entry',
  },
  'pyHanko/embedded-encrypted-nocf.pdf': {
    '7 0 R':
      'ours decrypts the embedded file as /EFF says (ISO 32000-1, table 20), and its MD5 is that of /CheckSum; ' +
      'qpdf leaves it encrypted',
  },
  'qpdf/minimal-signed-restricted.pdf': {
    '26 0 R':
      'ours takes the filter /Crypt off a stream that it gives decrypted (here Identity, XMP in the clear); ' +
      'qpdf leaves it there',
  },
  'dss/encrypted.pdf': {
    '1 0 R':
      "ours leaves the signature's /Contents as they are, which are never encrypted (ISO 32000-2, 7.6.2), and " +
      'they begin a DER SignedData; qpdf decrypts them to noise',
  },
  'qpdf/no-space-compressed-object.pdf': {
    '7 0 R':
      'a number in an object stream that runs into the next object: ours ends it where the next begins (1234), ' +
      'as MuPDF does; qpdf 11 reads both as one',
  },
};

/** Why the reader and qpdf differ about an object of a good file; undefined where they must not. */
export function differenceReason(file: string, object: string): string | undefined {
  return reasons[file]?.[object];
}

/** The objects of a file that are known to be read differently, by reference. */
export function knownDifferences(file: string): readonly string[] {
  return Object.keys(reasons[file] ?? {});
}
