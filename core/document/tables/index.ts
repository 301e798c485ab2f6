export { fromRight, linesText, readingLines } from './cell-lines.js';
export { findRuledTables } from './find-ruled-tables.js';
export type { FoundCell, FoundTable } from './model.js';
