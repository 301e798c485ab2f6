export { linesText, readingLines } from './cell-lines.js';
export { PathCollector } from './collect-paths.js';
export { findRuledTables } from './find-ruled-tables.js';
export type { FoundCell, FoundTable } from './model.js';
