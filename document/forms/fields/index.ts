export { type FieldLock, isLocked, readFieldLocks, type SetLock, signatureLocks } from './field-locks.js';
export {
  acroFormOf,
  allFieldNodes,
  fieldAttribute,
  type FieldNode,
  fullName,
  isField,
  isSignatureField,
  partialName,
  readFields,
} from './fields.js';
export { dropXfa, editXfa, hasXfa, readXfa } from './xfa.js';
