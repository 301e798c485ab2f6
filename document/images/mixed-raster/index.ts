export type { Plane } from './plane.js';
export { type Layers, separateLayers } from './separate.js';
export { type Similarity, similarity } from './similarity.js';
export { painted, type View, viewed, viewedFile, viewOf } from './view.js';
