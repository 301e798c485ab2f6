export type { ContentFont, FontGlyph } from './font.js';
export { FontBook } from './font-book.js';
export { glyphNameOf } from './glyph-names.js';
