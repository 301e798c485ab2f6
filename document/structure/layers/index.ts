export { type Layer, readLayers } from './layers.js';
