export { type ActionTarget, destinationPage, explicitDestination, type NamedDestinations, readNamedDestinations, targetOf } from './destinations.js';
export { acroFormOf, allFieldNodes, fieldAttribute, type FieldNode, isField, isSignatureField, partialName, readFields } from './fields.js';
export { documentTime, documentTitle, infoOf } from './info.js';
export { OUTLINE_LINKS, type OutlineItem, type OutlineNode, outlineTitle, pageItem, readOutlines, writeOutlines } from './outlines.js';
export { decimalLabels, type PageLabel, readPageLabels, writePageLabels } from './page-labels.js';
export { type DocMdpLevel, readSignatureState, type SignatureState } from './signature-state.js';
export { hasSignatures, removeSignatures } from './signatures.js';
