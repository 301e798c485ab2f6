export { dropPermissions, type ModificationLevel, readDocMdp } from './permissions.js';
export { type DocMdpLevel, readSignatureState, type SignatureState } from './signature-state.js';
export { hasSignatures, removeSignatures } from './signatures.js';
