export {
  applyToBox,
  applyToPoint,
  type Box,
  boxAround,
  fitting,
  identity,
  invert,
  type Matrix,
  multiply,
  overlap,
  type Point,
  scaleOf,
  scaling,
  translation,
  turnOf,
  turns,
} from './matrix.js';
export { upright, uprightPage, type UprightPage } from './upright.js';
export { type PaperName, paperSizes } from '../paper/index.js';
export { pageForm, PageForms } from './page-form.js';
export { ContentMover } from './move-content.js';
export { AnnotationMover, isWidget, ownerOf } from './move-annotations.js';
export { moveDestinations, type NewPlace, type PlaceOf } from './move-destinations.js';
export { type ContentMove, moveStructure } from './move-structure.js';
export { type BeadPlace, moveBeads } from './move-beads.js';
export { movedMeasure, movedViewports } from './move-measures.js';
export { boxNumbers, matrixNumbers, tidyNumber } from './write-numbers.js';
