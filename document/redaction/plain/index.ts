export { agreedFonts } from './probe-fonts.js';
export { type PlainPage, PlainPages } from './plain-pages.js';
