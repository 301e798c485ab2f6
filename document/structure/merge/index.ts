export { type Merged, type MergeOptions, mergePdfs, mergeToFile } from './merge-pdfs.js';
export type { NamedInput } from './merge-input.js';
export type { SortType } from './order.js';
