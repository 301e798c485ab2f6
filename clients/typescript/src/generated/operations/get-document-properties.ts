// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `getDocumentProperties`. */
export type GetDocumentPropertiesAnswer = {
  /** Title */
  readonly title: string | null;
  /** Author */
  readonly author: string | null;
  /** Subject */
  readonly subject: string | null;
  /** Keywords */
  readonly keywords: string | null;
  /** Program that the document was written with */
  readonly creator: string | null;
  /** Program that created the PDF */
  readonly producer: string | null;
  /** Creation date, ISO 8601 */
  readonly creationDate: string | null;
  /** Date of the last change, ISO 8601 */
  readonly modificationDate: string | null;
};

export interface GetDocumentProperties {
  /**
   * Report title, author and dates of a PDF.
   *
   * The entries are those of the information dictionary; custom entries and XMP are not read (see
   * `security/get-info-on-pdf`). All eight members are always present, null if missing. Dates are ISO 8601 with the
   * zone in the file, `Z` without one.
   *
   * POST /api/v1/analysis/document-properties
   */
  getDocumentProperties(
    file: Input,
    options?: Record<never, never>,
    call?: CallOptions,
  ): Promise<GetDocumentPropertiesAnswer>;
}
