export { deflate, deflateFitted } from './deflate.js';
export { chunkFor } from './inflate-chunk.js';
export { inflateBeginning, inflateShort, type Inflated, isSoundShort } from './inflate.js';
