import { definePlugin } from '@quire/registry';
import { filePdf } from './operations/file-pdf.op.js';
import { imgPdf } from './operations/img-pdf.op.js';
import { pdfImg } from './operations/pdf-img.op.js';

/** Conversions to and from PDF. */
export default definePlugin({ operations: [filePdf, imgPdf, pdfImg] });
