export { GlobalKey } from './global-key.js';
export { KeyService } from './key-service.js';
