export { type CertificateFacts, certificateFacts, type CertificateWeakness } from './facts.js';
export { identityOf, type SigningIdentity } from './identity.js';
export type { KeystoreFields } from './errors.js';
export { commonNameOf, distinguishedName } from './names.js';
export { type KeystoreOptions, openKeystore } from './open-keystore.js';
export { type KeyPairFiles, pairIdentity } from './pair-identity.js';
export { readCertificates } from './read-certificates.js';
export { readPrivateKey } from './read-private-key.js';
export { sealKeystore } from './making/index.js';
