export * from './records.js';
export * from './blobs.js';
export { openEmbeddedBlobs as openFolderBlobs } from './embedded-blobs.js';
export { StoredFiles, type Sealer } from './shared-files.js';
export { openStore, type Store } from './store.js';
export { checkStoreVersion, keepFact, storeFacts, STORE_VERSION, type StoreFact } from './store-version.js';
export { openMoveSource, type MovedPart, type MoveSource } from './move-store.js';
export { withStoreErrors } from './store-errors.js';
export { Backups, type Backup, type BackupEnd } from './backups.js';
