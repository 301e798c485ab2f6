export { type Box, type Quad, applyTo, boxAround, everywhere, identity, including, intersect, inverse, isEmpty, multiply, nowhere, quadOf, stretch } from './geometry.js';
export { ContentLexer } from './lexer.js';
export { ContentName, type ContentDict, type InlineImage, type Matrix, type Operand, type Operator, matrixOf, nameAt, numberAt } from './operands.js';
export { imageColourSpace, imageEntry, imageFilters, rawImageSize } from './inline-image.js';
export { packedStream, pageContent, writePageContent } from './page-content.js';
export { type Splice, numberText, operandText, operatorText, rewriteContent, splice } from './writer.js';
