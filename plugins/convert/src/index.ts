import { join } from 'node:path';
import { definePlugin, tokens } from '@quire/registry';
import { editorClear } from './endpoints/editor-clear.endpoint.js';
import { editorMetadata } from './endpoints/editor-metadata.endpoint.js';
import { editorFonts, editorPage } from './endpoints/editor-page.endpoint.js';
import { editorPartial } from './endpoints/editor-partial.endpoint.js';
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
import { pdfMarkdown } from './operations/pdf-markdown.op.js';
import { pdfPdfa } from './operations/pdf-pdfa.op.js';
import { pdfText } from './operations/pdf-text.op.js';
import { pdfVector } from './operations/pdf-vector.op.js';
import { pdfPresentation } from './operations/pdf-presentation.op.js';
import { pdfXlsx } from './operations/pdf-xlsx.op.js';
import { pdfXml } from './operations/pdf-xml.op.js';
import { pdfWord } from './operations/pdf-word.op.js';
import { pdfTextEditor } from './operations/pdf-text-editor.op.js';
import { svgPdf } from './operations/svg-pdf.op.js';
import { vectorPdf } from './operations/vector-pdf.op.js';
import { textEditorPdf } from './operations/text-editor-pdf.op.js';
import { urlPdf } from './operations/url-pdf.op.js';
import { editorSessions, FolderEditorSessions } from './services/editor-sessions.js';
import { editorTasks } from './tasks/editor-tasks.js';

/** Conversions to and from PDF. */
export default definePlugin({
  operations: [cbrPdf, cbzPdf, ebookPdf, emlPdf, filePdf, htmlPdf, imgPdf, markdownPdf, pdfCbr, pdfCbz, pdfCsv, pdfEpub, pdfHtml, pdfImg, pdfMarkdown, pdfPdfa, pdfPresentation, pdfTextEditor, pdfText, pdfVector, pdfWord, pdfXlsx, pdfXml, svgPdf, textEditorPdf, urlPdf, vectorPdf],
  endpoints: [editorMetadata, editorPage, editorFonts, editorPartial, editorClear],
  tasks: editorTasks,
  services: [{ token: editorSessions, create: (ctx) => new FolderEditorSessions({ folder: join(ctx.use(tokens.paths).tmp, 'text-editor'), clock: ctx.use(tokens.clock), log: ctx.log }) }],
  start: async (ctx) => ctx.use(editorSessions).open(),
  stop: async (ctx) => ctx.use(editorSessions).close(),
});
