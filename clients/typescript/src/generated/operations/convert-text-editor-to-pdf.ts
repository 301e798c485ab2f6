// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertTextEditorToPdf {
  /**
   * Convert an editable JSON document to PDF.
   *
   * Takes the result of `convert/pdf/text-editor`, edited or not. Existing content streams stay, except for elements
   * that differ: a changed text is rewritten at its position with its own font (following text does not move), or
   * with fonts of the server if that font lacks characters; texts and images missing from the lists are removed; new
   * ones are drawn on top. A missing list leaves its elements unchanged; an empty one removes them. A page without
   * content streams is drawn from its elements. Images whose `id` ends in the digest of their `imageData` belong to
   * the document and stay.
   *
   * Missing members have defaults (612 x 792 points, a sans-serif font, 12 points, black); unknown members are
   * ignored; a member of the wrong type is refused with its JSON pointer. Nothing is loaded from elsewhere.
   * Bookmarks, destinations, labels, layers, tags and attachments are in `documentCatalog`; without it the result has
   * none. Signatures and conformance claims (PDF/A) are removed; signature fields stay, unsigned. Changes of `zOrder`
   * alone are ignored. The JSON may have up to 512 MiB.
   *
   * POST /api/v1/convert/text-editor/pdf
   */
  convertTextEditorToPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
