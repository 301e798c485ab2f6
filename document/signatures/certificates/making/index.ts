export { sealKeystore } from './seal-keystore.js';
export { selfSigned, type SelfSignedOptions } from './self-signed.js';
