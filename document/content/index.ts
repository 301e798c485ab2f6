export { actualTextOf, writeActualText } from './actual-text.js';
export { collectForms } from './collect-forms.js';
export { ContentEditor } from './content-editor.js';
export {
  type Box,
  type Quad,
  applyTo,
  boxAround,
  everywhere,
  identity,
  including,
  intersect,
  inverse,
  isEmpty,
  multiply,
  nowhere,
  quadOf,
  stretch,
} from './geometry.js';
export { ContentLexer, type TokenListener } from './lexer.js';
export {
  ContentName,
  type ContentDict,
  type InlineImage,
  type Matrix,
  type Operand,
  type Operator,
  matrixOf,
  nameAt,
  numberAt,
} from './operands.js';
export { imageColourSpace, imageEntry, imageFilters, rawImageSize } from './inline-image.js';
export { packedStream, pageContent, writePageContent } from './page-content.js';
export { type Splice, numberText, operandText, operatorText, rewriteContent, splice } from './writer.js';
export { ContentReader } from './content-reader.js';
export type { ContentLimits } from './content-resources.js';
export {
  type ContentVisitor,
  glyphQuad,
  type PaintedImage,
  type PaintedInlineImage,
  type PaintedPath,
  type PaintedShading,
  type PaintedText,
  type Painting,
  type ShownGlyph,
  type ShownText,
} from './events.js';
export { Frame, type FormUse } from './frame.js';
export type { ContentFont, FontGlyph } from '../fonts/pdf-fonts/index.js';
export type { ContentColour, Dash, GraphicsState, MarkedContent, TextState } from './state.js';
export { withDrawnText, withoutFlatBlanks } from './drawn-text.js';
export { gapText, WORD_GAP } from './gaps.js';
export {
  type PageText,
  placePage,
  readPageText,
  showForm,
  type ShownPage,
  type ShownRun,
  showPage,
  type TextRun,
} from './page-text.js';
export { plainText } from './page-text-plain.js';
export { Pen, placeGlyphs } from './walk/text-walk.js';
export { comparable, type TextUnit } from './text-unit.js';
export { fontOperator, type Insertion, rewriteShow, type RunChange } from './show-text.js';
export { accentOf, isAccent } from './spacing-accents.js';
export { besideContent } from './beside-content.js';
export { dropUnusedXObjects } from './drop-unused.js';
export {
  type FontProgram,
  glyphNameOf,
  readFontProgram,
  SimpleFont,
  standardFont,
  standardName,
} from '../fonts/pdf-fonts/index.js';
