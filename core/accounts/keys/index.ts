export { GlobalKey } from './global-key.js';
export { KeyService, type FoundKey, type KeyServiceDeps } from './key-service.js';
export { MAX_NAMED_KEYS, SINGLE_KEY_NAME, type KeyWire } from './model.js';
