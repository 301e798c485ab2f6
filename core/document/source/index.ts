export { allBytes, FileSource, type PdfInput, withSource, withSources } from './file-source.js';
