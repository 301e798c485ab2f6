export { alphabets, type Alphabet } from './families.js';
export { shapeLine, type ShapedGlyph, type ShapedLine } from './shape.js';
export { TextFont } from './text-font.js';
