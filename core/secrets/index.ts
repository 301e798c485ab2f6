export { openSealedFile, sealedFile } from './sealed-file.js';
export { openJson, sealJson } from './sealed-json.js';
export { ServerSecret } from './secret.js';
export { openStoreSecret } from './store-secret.js';
