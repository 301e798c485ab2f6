export { encodeLegacy, encodeModern, legacyCandidates, MODERN_BYTES, modernCandidates, padPassword } from './encode.js';
export { passwordFault } from './password-fault.js';
export { encodePdfDoc } from './pdf-doc-encoding.js';
