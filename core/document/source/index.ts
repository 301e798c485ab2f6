export { allBytes, FileSource, type PdfInput, withSource } from './file-source.js';
