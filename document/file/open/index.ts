export { type OpenedPdf, type OpenEngine, type OpenOptions, openPdf, withPdf } from './open-pdf.js';
export { withFirstPage } from './first-page.js';
export { guardDocument } from './guard.js';
export {
  contextBytes,
  measureContext,
  pdfBytes,
  type SaveOptions,
  savePdf,
  writeContext,
  type WriteOptions,
  writePdf,
} from './save-pdf.js';
export { type Protection, securityOf } from './file-security.js';
export { withdrawUsageRights } from './usage-rights.js';
export { type Edit, editBytes, editFile } from './edit.js';
