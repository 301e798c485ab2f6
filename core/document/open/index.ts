export { type OpenedPdf, type OpenEngine, type OpenOptions, openPdf, withPdf } from './open-pdf.js';
export { withFirstPage } from './first-page.js';
export { guardDocument } from './guard.js';
export { type SaveOptions, savePdf, writeContext } from './save-pdf.js';
