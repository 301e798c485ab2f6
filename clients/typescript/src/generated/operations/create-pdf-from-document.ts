// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface CreatePdfFromDocumentOptions {
  /** The document. */
  readonly document: Json;
  /** Name of the PDF; one that does not end in .pdf becomes generated-document.pdf. */
  readonly filename: string;
}

export interface CreatePdfFromDocument {
  /**
   * Lay a structured document out as a PDF.
   *
   * There is no file part: `document` is JSON with `title`, `subtitle`, `referenceNumber`, `style` (`primaryColor`,
   * `backgroundColor`, `bodyTextColor` as `#RRGGBB`) and `sections`. A section can have `heading`, `body` (paragraphs
   * separated by empty lines), `pairs` (`[[key, value]]`), a table of `columns`, `rows` and `totalRow`, `items`,
   * `signatories` (names, or objects with `name`, `title`, `organisation`, `date`). Its `type` is free text; these
   * have a special layout: `numbered_list`, `checklist`, `note`, `quote`, `two_columns` (of text), `page_break`,
   * `divider`. No model is used; available while `aiEngine.enabled` is on. Tables repeat their header on every page;
   * documents with several pages get page numbers.
   *
   * POST /api/v1/ai/tools/create-pdf-from-html-agent
   */
  createPdfFromDocument(options: CreatePdfFromDocumentOptions, call?: CallOptions): Promise<FileResult>;
}
