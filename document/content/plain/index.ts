export type { PlainFont, PlainGlyph } from './plain-font.js';
export { type PlainPage, PlainPages } from './plain-pages.js';
export type { TextCounts } from './plain-lines.js';
