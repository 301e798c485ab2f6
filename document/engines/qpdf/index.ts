export { type QpdfFiles, type QpdfInput, type QpdfOutput, type QpdfResult, runQpdf, runQpdfRaw } from './run.js';
