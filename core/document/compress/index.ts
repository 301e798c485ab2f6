export { type Compressed, type CompressOptions, compressPdf } from './compress.js';
export type { CompressLevel } from './rules.js';
export type { LineArt } from './shrink-image.js';
