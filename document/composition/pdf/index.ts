export { composePdf, type ComposedPdf, type ComposePdfOptions } from './compose-pdf.js';
