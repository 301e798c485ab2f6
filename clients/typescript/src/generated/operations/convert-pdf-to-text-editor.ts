// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToTextEditorOptions {
  /** A smaller answer: only where text is and which fonts it uses. Default: false. */
  readonly lightweight?: boolean;
}

export interface ConvertPdfToTextEditor {
  /**
   * Convert a PDF to an editable JSON document.
   *
   * Coordinates are points from the lower left corner of the page as it is shown before rotation (its crop box, times
   * `UserUnit`). A text element is what one operator shows; `textMatrix` leads from text space, in which the font has
   * the size `fontSize`, to the page. `fontId` names a font of `fonts[]` by what it is made of, so it stays the same
   * when the document is rewritten; `zOrder` is the place in the order of painting. Null members and empty lists are
   * left out.
   *
   * Images are inside (JPEG as it is, all else PNG), because this call reports no session; with `lightweight` they
   * are not, `lazyImages` is true, and font programs, form fields, resources, streams and trees are left out as well.
   * To fetch page by page, begin with `convert/pdf/text-editor/metadata`. `conversionCandidates`, `pdfProgram` and
   * `pdfProgramFormat` are never there: no font is converted for PDF. `webProgram` is the embedded program as
   * browsers load it, with a map of characters made of what the document says of its codes.
   *
   * Beside the members of the interface there are `ref` of trees and pages (objects of one name are one object),
   * `sharedObjects` (what is large or used often, by that name), `documentCatalog` (bookmarks, destinations, page
   * labels, layers, tags, attachments), `acroForm`, and `mediaBox`, `cropBox`, `userUnit`, `group` and
   * `structParents` of pages: whoever sends them back to `convert/text-editor/pdf` gets the whole document again. A
   * string in a tree is base64 of its bytes.
   *
   * POST /api/v1/convert/pdf/text-editor
   */
  convertPdfToTextEditor(file: Input, options?: ConvertPdfToTextEditorOptions, call?: CallOptions): Promise<FileResult>;
}
