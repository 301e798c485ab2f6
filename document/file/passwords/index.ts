export { encodeLegacy, encodeModern, legacyCandidates, modernCandidates, padPassword } from './encode.js';
export { passwordFault } from './password-fault.js';
export { encodePdfDoc } from './pdf-doc-encoding.js';
