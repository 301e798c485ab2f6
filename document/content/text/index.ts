export { containsImage } from './contains-image.js';
export { containsText, type PageChoice } from './contains-text.js';
export { readPdf } from './read.js';
export { pageLines, type TextLine } from './text-lines.js';
