export * from './records.js';
export * from './blobs.js';
export { openStore, type Store, type StoreSettings } from './store.js';
