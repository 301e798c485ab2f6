export { type PackedFile, packFile } from './pack-file.js';
export { type Unpacked, unpackFile } from './unpack-file.js';
