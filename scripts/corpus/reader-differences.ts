/** Files of the corpus that are broken inside, so that two readers may rightly read them differently, each with the reason. */
const reasons: Readonly<Record<string, string>> = {
  'pyHanko/broken-objstream4.pdf': 'a stream inside an object stream, which there cannot be (ISO 32000-1, 7.5.7): ours reads its dictionary from the file, qpdf none',
  'pyHanko/embedded-encrypted-nocf.pdf': 'ours decrypts the embedded file as /EFF says (ISO 32000-1, table 20); qpdf leaves it encrypted',
  'qpdf/minimal-signed-restricted.pdf': 'ours takes the filter /Crypt off a stream that it gives decrypted; qpdf leaves it there',
  'dss/encrypted.pdf': 'ours leaves the signature\'s Contents as they are, which are never encrypted (ISO 32000-2, 7.6.2); qpdf decrypts them to noise',
  'dss/pades-tst-with-null-type.pdf': 'a UTF-16 string of odd length, which qpdf and ours make text of differently; the bytes are the same',
  'qpdf/no-space-compressed-object.pdf': 'an object in an object stream that runs into the next: ours ends it where the next begins',
};

/** Why the reader and qpdf differ on a good file; undefined where they must not. */
export function differenceReason(file: string): string | undefined {
  return reasons[file];
}
