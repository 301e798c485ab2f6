export { PathCollector } from './collect-paths.js';
export type { FoundCell, FoundTable } from './model.js';
