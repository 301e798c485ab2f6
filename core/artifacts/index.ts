export { blobsWithOlder } from './blobs-with-older.js';
export { BucketBlobs } from './bucket-blobs.js';
