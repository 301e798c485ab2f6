export { inlineText, type InlineOptions } from './inline.js';
export { MarkdownWriter } from './markdown-writer.js';
export { type MarkdownPart, PageWriter } from './page-writer.js';
export { pdfToMarkdown, type PdfToMarkdownOptions } from './pdf-to-markdown.js';
