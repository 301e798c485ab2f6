export { type Merged, type MergeOptions, mergePdfs } from './merge-pdfs.js';
export type { NamedBytes } from './merge-input.js';
export type { SortType } from './order.js';
