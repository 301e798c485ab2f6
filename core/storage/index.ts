export * from './model.js';
export { contentPlaces } from './contents.js';
export { DiskReserve } from './disk-reserve.js';
export type { FileView } from './file-views.js';
export { downloadsLeft, type Visit } from './link-visits.js';
export { linkPasswords } from './link-passwords.js';
export { folderLimits, type NewFolder } from './folders.js';
export { openStorage, type Storage } from './open-storage.js';
export { OBJECT_LIMIT, S3Bucket } from './s3-bucket.js';
