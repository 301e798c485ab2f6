export { allBytes, FileSource, type PdfInput, withSource, withSources } from './file-source.js';
export { dropSources, keepSource } from './kept-sources.js';
