import { inputRow } from './row.js';

/** Keys, certificates and signatures. */
export const signingErrors = {
  KEYSTORE_PASSWORD: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Wrong password',
    text: '"{field}" cannot be opened: {detail}.',
  }),
  KEYSTORE_UNREADABLE: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Keystore unreadable',
    text: 'The keystore in "{field}" cannot be read: {detail}.',
    legacy: 'error.invalidArgument',
    hint: 'Supported are PKCS#12 (.p12, .pfx) and Java keystores (.jks).',
  }),
  KEYSTORE_NO_KEY: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'No private key',
    text: 'The keystore in "{field}" has no private key with a certificate: {detail}.',
    legacy: 'error.invalidArgument',
  }),
  KEY_UNREADABLE: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Private key unreadable',
    text: 'The private key in "{field}" cannot be read: {detail}.',
    legacy: 'error.invalidArgument',
    hint: 'Supported are PKCS#1, SEC 1 and PKCS#8 as PEM or DER, encrypted or not.',
  }),
  KEY_UNUSABLE: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Key cannot sign',
    text: 'The private key in "{field}" cannot be used: {detail}.',
    legacy: 'error.invalidArgument',
  }),
  KEY_MISMATCH: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Key and certificate do not match',
    text: 'The private key in "{keyField}" does not match the certificate in "{certificateField}".',
    legacy: 'error.invalidArgument',
  }),
  CERTIFICATE_UNREADABLE: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Certificate unreadable',
    text: 'The certificate in "{field}" cannot be read: {detail}.',
    legacy: 'error.invalidFormat',
    hint: 'Supported are X.509 certificates as PEM or DER, and PKCS#7 bundles.',
  }),
  CERTIFICATE_NOT_VALID: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Certificate not valid now',
    text: 'The certificate in "{field}" is valid from {from} to {to} only.',
    legacy: 'error.invalidArgument',
  }),
  CERTIFICATE_REVOKED: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Certificate revoked',
    text: 'A certificate needed for "{field}" was revoked: {detail}',
    legacy: 'error.invalidArgument',
  }),
  VALIDATION_DATA_MISSING: inputRow({
    status: 422,
    type: 'validation-data',
    title: 'Revocation data missing',
    text: 'Data needed for long-term validation of the signature is not available: {detail}',
    hint:
      'The server contacts the addresses in certificates only with security.validation.allowAIA on; unknown root ' +
      'certificates must be in the keystore.',
  }),
  HARDWARE_SIGNING_DESKTOP_ONLY: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'No hardware signing',
    text: 'certType {found} works only in a desktop build that is called from the same machine; this is a server.',
    legacy: 'error.hardwareSigningDesktopOnly',
    hint: 'Send the certificate with certType PEM, PKCS12 or JKS, or use SERVER.',
  }),
  SERVER_CERTIFICATE_ABSENT: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'No server certificate',
    text: 'This server has no signing certificate.',
    legacy: 'error.serverCertificateNotAvailable',
  }),
  SERVER_CERTIFICATE_DISABLED: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Server certificate off',
    text: 'Signing with the server certificate is turned off (system.serverCertificate.enabled).',
    legacy: 'error.serverCertificateDisabled',
  }),
  SERVER_CERTIFICATE_MISSING: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'No server certificate',
    text: 'The server has no signing certificate.',
    legacy: 'error.serverCertificateNotFound',
    hint: 'An administrator can upload or generate one; it takes effect after a restart.',
  }),
  SIGNATURES_FULL: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'Too many saved signatures',
    text: 'Your saved signatures take {found}; the limit is {limit}. Replacing one also counts as adding one.',
    hint: 'Delete a saved signature first.',
  }),
  TSA_NOT_ALLOWED: inputRow({
    status: 400,
    type: 'invalid-argument',
    title: 'TSA not allowed',
    text:
      'TSA URL is not in the allowed list: "{found}". Administrators add servers with the setting ' +
      'security.timestamp.customTsaUrls.',
  }),
} as const;
