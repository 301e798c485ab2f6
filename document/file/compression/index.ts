export { type Compressed, compressFile, type CompressOptions } from './compress.js';
export { packFile } from './pack-file.js';
export type { CompressLevel } from './rules.js';
export type { LineArt } from './shrink-image.js';
