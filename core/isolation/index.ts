export { TaskFiles } from './task-files.js';
export { findIsolation, layerNames, type Layer, type WorkerIsolation } from './worker-isolation.js';
