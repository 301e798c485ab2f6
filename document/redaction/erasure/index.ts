export type { ContentKind, RedactArea } from './areas.js';
export { type Erased, Eraser, type Erasure, type Replacement } from './eraser.js';
export { runBox } from './glyphs.js';
export { removeAreas, type RemovedContent, type RemoveOptions } from './remove-areas.js';
export { ReplacementTexts } from './replacement-texts.js';
export { wipePages } from './wipe-pages.js';
