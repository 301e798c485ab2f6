export { type OpenedPdf, type OpenEngine, type OpenOptions, openPdf } from './open-pdf.js';
export { guardDocument } from './guard.js';
export { type SaveOptions, savePdf, writeContext } from './save-pdf.js';
