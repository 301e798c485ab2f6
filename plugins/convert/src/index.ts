import { join } from 'node:path';
import { definePlugin, tokens } from '@quire/registry';
import { editorClear } from './endpoints/editor-clear.endpoint.js';
import { editorMetadata } from './endpoints/editor-metadata.endpoint.js';
import { editorFonts, editorPage } from './endpoints/editor-page.endpoint.js';
import { editorPartial } from './endpoints/editor-partial.endpoint.js';
import { cbrPdf } from './operations/to-pdf/cbr-pdf.op.js';
import { cbzPdf } from './operations/to-pdf/cbz-pdf.op.js';
import { ebookPdf } from './operations/to-pdf/ebook-pdf.op.js';
import { emlPdf } from './operations/to-pdf/eml-pdf.op.js';
import { filePdf } from './operations/to-pdf/file-pdf.op.js';
import { htmlPdf } from './operations/to-pdf/html-pdf.op.js';
import { imgPdf } from './operations/to-pdf/img-pdf.op.js';
import { markdownPdf } from './operations/to-pdf/markdown-pdf.op.js';
import { pdfCbr } from './operations/from-pdf/pdf-cbr.op.js';
import { pdfCbz } from './operations/from-pdf/pdf-cbz.op.js';
import { pdfCsv } from './operations/from-pdf/pdf-csv.op.js';
import { pdfEpub } from './operations/from-pdf/pdf-epub.op.js';
import { pdfHtml } from './operations/from-pdf/pdf-html.op.js';
import { pdfImg } from './operations/from-pdf/pdf-img.op.js';
import { pdfMarkdown } from './operations/from-pdf/pdf-markdown.op.js';
import { pdfPdfa } from './operations/from-pdf/pdf-pdfa.op.js';
import { pdfText } from './operations/from-pdf/pdf-text.op.js';
import { pdfVector } from './operations/from-pdf/pdf-vector.op.js';
import { pdfPresentation } from './operations/from-pdf/pdf-presentation.op.js';
import { pdfXlsx } from './operations/from-pdf/pdf-xlsx.op.js';
import { pdfXml } from './operations/from-pdf/pdf-xml.op.js';
import { pdfWord } from './operations/from-pdf/pdf-word.op.js';
import { pdfTextEditor } from './operations/from-pdf/pdf-text-editor.op.js';
import { svgPdf } from './operations/to-pdf/svg-pdf.op.js';
import { vectorPdf } from './operations/to-pdf/vector-pdf.op.js';
import { textEditorPdf } from './operations/to-pdf/text-editor-pdf.op.js';
import { urlPdf } from './operations/to-pdf/url-pdf.op.js';
import { editorSessions, FolderEditorSessions } from './services/editor-sessions.js';
import { sessionBytes } from './services/session-bytes.js';
import { editorTasks } from './tasks/editor-tasks.js';
import { templates } from './templates.js';

/** Conversions to and from PDF. */
export default definePlugin({
  categories: [{ id: 'convert', title: 'Convert', icon: 'arrow-left-right', order: 20 }],
  templates,
  operations: [
    cbrPdf,
    cbzPdf,
    ebookPdf,
    emlPdf,
    filePdf,
    htmlPdf,
    imgPdf,
    markdownPdf,
    pdfCbr,
    pdfCbz,
    pdfCsv,
    pdfEpub,
    pdfHtml,
    pdfImg,
    pdfMarkdown,
    pdfPdfa,
    pdfPresentation,
    pdfTextEditor,
    pdfText,
    pdfVector,
    pdfWord,
    pdfXlsx,
    pdfXml,
    svgPdf,
    textEditorPdf,
    urlPdf,
    vectorPdf,
  ],
  endpoints: [editorMetadata, editorPage, editorFonts, editorPartial, editorClear],
  tasks: editorTasks,
  services: [
    {
      token: editorSessions,
      create: (ctx) =>
        new FolderEditorSessions({
          folder: join(ctx.use(tokens.paths).tmp, 'text-editor'),
          clock: ctx.use(tokens.clock),
          log: ctx.log,
          bounds: { bytes: sessionBytes(ctx.use(tokens.settings), ctx.use(tokens.paths).tmp) },
        }),
    },
  ],
  start: async (ctx) => ctx.use(editorSessions).open(),
  stop: async (ctx) => ctx.use(editorSessions).close(),
});
