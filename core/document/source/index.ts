export { allBytes, FileSource, type PdfInput, withSource, withSources } from './file-source.js';
export { beginKeeping, dropSources, isKeeping, keepSource } from './kept-sources.js';
