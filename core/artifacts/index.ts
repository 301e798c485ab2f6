export { blobsWithOlder } from './blobs-with-older.js';
export { BucketBlobs, type BucketBlobsDeps } from './bucket-blobs.js';
