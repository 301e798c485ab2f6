export { allBytes, FileSource, type PdfInput, withSource, withSources } from './file-source.js';
export { fileHead } from './file-head.js';
export { beginKeeping, dropSources, isKeeping, keepSource } from './kept-sources.js';
export { noteWithdrawnRights, takeWithdrawnRights } from './run-notes.js';
