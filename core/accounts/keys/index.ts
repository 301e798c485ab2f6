export { GlobalKey } from './global-key.js';
export { KeyService, type FoundKey, type KeyServiceParts } from './key-service.js';
export { MAX_NAMED_KEYS, SINGLE_KEY_NAME, type KeyWire } from './model.js';
