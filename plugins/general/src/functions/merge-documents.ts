export { type Merged, type MergeOptions, mergePdfs as mergeDocuments, type NamedBytes, type SortType } from '@quire/document/merge';
