/** Files whose signatures are judged otherwise than the manifest's check, pdfsig or pyHanko do, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  'pyHanko/ed448-shake256-nolen.pdf':
    'The digest is SHAKE256, which CMS of PDFs does not have (ISO 32000-2, table 260): reported as not to be verified.',
  'dss/PAdES-BpB-att-SHA256-SHA3_224withRSA.pdf':
    'The digest is right; the signature is named SHA3-224 with RSA and was made with SHA-256. What was signed ' +
    'is not what is said: not valid.',
  'dss/PAdES-BpB-att-SHA256-SHA3_256withRSA.pdf':
    'The digest is right; the signature is named SHA3-256 with RSA and was made with SHA-256. What was signed ' +
    'is not what is said: not valid.',
  'dss/pades-spoofing-replaced-reason.pdf':
    'The dictionary was written again behind the signature, with another reason and the old range and value. A ' +
    'range that leaves out the value of another dictionary is not believed, so no digest is taken: not valid.',
  'dss/pades-unsupported-signature-algorithm.pdf':
    'The signature names a curve as its algorithm. No digest is taken of a signature that cannot be ' +
    'understood: reported as not to be verified.',
  'dss/pdf-double-signer-info.pdf':
    'The digest is right; a PDF signature has one signer (ISO 32000-2, 12.8.3.3), so two make it not valid. ' +
    'The values are those of the last, as the contract has it.',
  'pyHanko/one-byterange.pdf':
    'The digest over the range would be right, and the range leaves nothing out; it must be four numbers: not valid.',
  'dss/pdf-eof.pdf':
    'The range goes beyond the end of the file, by one byte: not valid, whatever the bytes that are there give.',
  'pyHanko/form-update-ap-indirect-sneaky-trailer.pdf':
    'Reported as changed and allowed. An object is named by the trailer and as an appearance; it was not ' +
    'changed, the signed field merely got another one. Signing that field is all that happened.',
  'pyHanko/form-update-no-override-appearance-stream-ap-indirect-sneaky.pdf':
    'Reported as changed and allowed, for the same reason: the shared object was left as it was.',
  'pyHanko/extensions-indirect-not-all-paths.pdf':
    'The digest is right; an object that the catalog names twice was changed, of which one place may change ' +
    'and the other may not: the first signature is refused.',
};
