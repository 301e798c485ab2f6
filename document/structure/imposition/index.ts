export { type ImportedPage, PageImports } from './import-pages.js';
export { type ImposeOptions, imposeSheets } from './impose-sheets.js';
export type { Placement, Sheet } from './sheets.js';
export { stackedSheet, stackPages } from './stack-pages.js';
