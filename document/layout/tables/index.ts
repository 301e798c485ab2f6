export { fromRight, isParted, linesText, readingLines } from './cell-lines.js';
export { findAlignedTables } from './find-aligned-tables.js';
export { findRuledTables } from './find-ruled-tables.js';
export type { DrawnContent } from './is-table.js';
export type { FoundCell, FoundTable } from './model.js';
export { csvOf } from './csv.js';
export { MAX_CELL_LETTERS, sheetText } from './sheet-text.js';
export { inLine } from './header-columns.js';
