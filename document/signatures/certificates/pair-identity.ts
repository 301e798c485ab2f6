import { DocumentError } from '../../errors.js';
import { identityOf, type SigningIdentity } from './identity.js';
import { readCertificates } from './read-certificates.js';
import { readPrivateKey } from './read-private-key.js';

/** A private key and its certificate as two files, and the form fields that errors name. */
export interface KeyPairFiles {
  readonly key: Uint8Array;
  readonly certificate: Uint8Array;
  readonly password?: string | undefined;
  readonly keyField?: string;
  readonly certificateField?: string;
  readonly passwordField?: string;
  readonly signal?: AbortSignal;
}

/**
 * Creates an identity from a private key file (`readPrivateKey`) and a certificate file (`readCertificates`). The first
 * certificate is the signer's; in an unordered bundle, the one that matches the key. Rejects like those, and with
 * DocumentError KEY_MISMATCH.
 */
export async function pairIdentity({
  key,
  certificate,
  password,
  keyField = 'privateKeyFile',
  certificateField = 'certFile',
  passwordField = 'password',
  signal,
}: KeyPairFiles): Promise<SigningIdentity> {
  const certificates = readCertificates(certificate, certificateField);
  const privateKey = await readPrivateKey(key, password, {
    field: keyField,
    passwordField,
    ...(signal === undefined ? {} : { signal }),
  });
  const identity = identityOf(privateKey, certificates);
  if (identity !== undefined) return identity;
  const detail =
    certificates.length === 1
      ? 'the certificate does not belong to the private key'
      : `none of the ${certificates.length} certificates belongs to the private key`;
  throw new DocumentError('KEY_MISMATCH', { keyField, certificateField }, [
    { pointer: `/${certificateField}`, detail },
    { pointer: `/${keyField}`, detail },
  ]);
}
