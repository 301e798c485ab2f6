export { deflate, deflateFitted } from './deflate.js';
export { inflateShort, type Inflated } from './inflate.js';
