export { type Pdfium, type PdfiumRuntime, compiledPdfium, loadPdfium, shareCompiledPdfium } from './runtime.js';
export {
  type ByteSource,
  type OpenOptions,
  type PageGeometry,
  PdfiumDocument,
  type SaveOptions,
  withDocument,
  withMemory,
  withPdfium,
} from './document.js';
export { resavePdf } from './resave.js';
export { standardFontProgram } from './standard-font.js';
