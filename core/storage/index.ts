export * from './model.js';
export { contentPlaces, type Contents, type ContentStore, type ShownAs } from './contents.js';
export { S3Contents, type S3Settings } from './s3-contents.js';
export type { FileView } from './file-views.js';
export { folderLimits, type FolderChange, type NewFolder } from './folders.js';
export { openStorage, type Storage, type StorageDeps } from './open-storage.js';
export type { UpkeepReport } from './upkeep.js';
