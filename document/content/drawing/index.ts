export { type StateBalance, stateBalance } from './balance.js';
export { decimal, matrixOperands, precise } from './numbers.js';
export { PageOverlay } from './page-overlay.js';
export { PageContent, type Surroundings } from './page-content.js';
export { BLACK, type Colour, LIGHT_GREY, parseColour, parseHexColour } from './colour.js';
export { fillColour, type FormParts, formOf, linesOfText } from './content.js';
export { type Area, after, boundsAfter, isWithin, type Matrix, type PageFrame, pageFrame, turned } from './frame.js';
export { cornerAt, type GridPlace, gridPlace, marginFactor, marginNames, movedInto } from './places.js';
export {
  annotationFlags,
  completeForm,
  type DrawnAnnotation,
  drawnAnnotations,
  flagsOf,
  normalAppearance,
  paintAppearances,
} from './appearance.js';
