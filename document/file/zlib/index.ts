export { deflate, deflateFitted } from './deflate.js';
export { chunkFor } from './inflate-chunk.js';
export { inflateShort, type Inflated } from './inflate.js';
