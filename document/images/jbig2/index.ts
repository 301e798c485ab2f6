export { encodeJbig2 } from './encode-jbig2.js';
