import { definePlugin } from '@quire/registry';
import { cbrPdf } from './operations/cbr-pdf.op.js';
import { cbzPdf } from './operations/cbz-pdf.op.js';
import { ebookPdf } from './operations/ebook-pdf.op.js';
import { emlPdf } from './operations/eml-pdf.op.js';
import { filePdf } from './operations/file-pdf.op.js';
import { htmlPdf } from './operations/html-pdf.op.js';
import { imgPdf } from './operations/img-pdf.op.js';
import { markdownPdf } from './operations/markdown-pdf.op.js';
import { pdfCbr } from './operations/pdf-cbr.op.js';
import { pdfCbz } from './operations/pdf-cbz.op.js';
import { pdfCsv } from './operations/pdf-csv.op.js';
import { pdfEpub } from './operations/pdf-epub.op.js';
import { pdfHtml } from './operations/pdf-html.op.js';
import { pdfImg } from './operations/pdf-img.op.js';
import { pdfPdfa } from './operations/pdf-pdfa.op.js';
import { pdfVector } from './operations/pdf-vector.op.js';
import { pdfPresentation } from './operations/pdf-presentation.op.js';
import { pdfXlsx } from './operations/pdf-xlsx.op.js';
import { pdfXml } from './operations/pdf-xml.op.js';
import { pdfWord } from './operations/pdf-word.op.js';
import { svgPdf } from './operations/svg-pdf.op.js';
import { vectorPdf } from './operations/vector-pdf.op.js';
import { urlPdf } from './operations/url-pdf.op.js';

/** Conversions to and from PDF. */
export default definePlugin({ operations: [cbrPdf, cbzPdf, ebookPdf, emlPdf, filePdf, htmlPdf, imgPdf, markdownPdf, pdfCbr, pdfCbz, pdfCsv, pdfEpub, pdfHtml, pdfImg, pdfPdfa, pdfVector, pdfPresentation, pdfXlsx, pdfXml, pdfWord, svgPdf, urlPdf, vectorPdf] });
