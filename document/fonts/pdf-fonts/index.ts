export type { ContentFont, FontGlyph } from './font.js';
export { FontBook, type ProcedureReader } from './font-book.js';
export { glyphNameOf, textOfGlyphName } from './glyph-names.js';
export { type FontProgram, readFontProgram } from './font-program.js';
export { SimpleFont } from './simple-font.js';
export { standardFont, standardName } from './standard-fonts.js';
export { missingCharacters } from './missing-glyphs.js';
