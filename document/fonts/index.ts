export { alphabetOfText } from './alphabet-of-text.js';
export { alphabetOf, alphabets, type Alphabet } from './families.js';
export type { Weight } from './face.js';
export { type Ink, inkOf } from './ink.js';
export { beginsAtRight, drawableText, lettersFromLeft, shapeLine, type ShapedLine } from './shape.js';
export type { ShapedGlyph } from './shaped-glyph.js';
export { ASCENT, DESCENT, LINE_HEIGHT, TextFont } from './text-font.js';
