export type { ContentKind, RedactArea } from './areas.js';
export type { Erased } from './eraser.js';
export { removeAreas, type RemovedContent, type RemoveOptions } from './remove-areas.js';
export { wipePages } from './wipe-pages.js';
