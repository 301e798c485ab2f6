export { type PlainPage, PlainPages } from '../../content/plain/index.js';
export { agreedFonts } from './probe-fonts.js';
