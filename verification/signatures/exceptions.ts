/** Files whose signatures we judge differently from the manifest's checker, pdfsig or pyHanko, with the reason. */
export const exceptions: Readonly<Record<string, string>> = {
  'pyHanko/ed448-shake256-nolen.pdf':
    'The digest is SHAKE256, which ISO 32000-2, table 260 does not allow in PDF signatures: reported as not ' +
    'verifiable.',
  'dss/PAdES-BpB-att-SHA256-SHA3_224withRSA.pdf':
    'The digest is right, but the signature claims SHA3-224 with RSA and was made with SHA-256: not valid.',
  'dss/PAdES-BpB-att-SHA256-SHA3_256withRSA.pdf':
    'The digest is right, but the signature claims SHA3-256 with RSA and was made with SHA-256: not valid.',
  'dss/pades-spoofing-replaced-reason.pdf':
    'The dictionary was written again after the signature, with another reason and the old range and value. A ' +
    'range that leaves out the value of another dictionary is not trusted, so no digest is computed: not valid.',
  'dss/pades-unsupported-signature-algorithm.pdf':
    'The signature names a curve as its algorithm. No digest is computed for a signature that cannot be ' +
    'parsed: reported as not verifiable.',
  'dss/pdf-double-signer-info.pdf':
    'The digest is right, but a PDF signature has exactly one signer (ISO 32000-2, 12.8.3.3): two make it not ' +
    'valid. The reported values are those of the last signer, as the contract requires.',
  'pyHanko/one-byterange.pdf':
    'The digest over the range would be right, and the range omits nothing, but it must have four numbers: not valid.',
  'dss/pdf-eof.pdf':
    'The range ends one byte after the end of the file: not valid, whatever the digest of the existing bytes.',
  'pyHanko/form-update-ap-indirect-sneaky-trailer.pdf':
    'Reported as changed and allowed. The trailer and an appearance refer to the same object; it was not ' +
    'changed, the signed field merely got another appearance. Signing that field is the only change.',
  'pyHanko/form-update-no-override-appearance-stream-ap-indirect-sneaky.pdf':
    'Reported as changed and allowed, for the same reason: the shared object did not change.',
  'pyHanko/extensions-indirect-not-all-paths.pdf':
    'The digest is right, but an object that the catalog refers to twice was changed; one of the two places ' +
    'may change, the other may not: the first signature is rejected.',
};
