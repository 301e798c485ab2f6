// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SanitizePdfOptions {
  /** Remove scripts, and actions that start programs. Default: true. */
  readonly removeJavaScript?: boolean;
  /** Remove attachments and media. Default: true. */
  readonly removeEmbeddedFiles?: boolean;
  /** Remove XMP metadata. Default: false. */
  readonly removeXMPMetadata?: boolean;
  /** Remove the document information: title, author, dates, programs. Default: false. */
  readonly removeMetadata?: boolean;
  /** Remove links and actions that lead or send data outside the document. Default: false. */
  readonly removeLinks?: boolean;
  /** Remove embedded fonts. Default: false. */
  readonly removeFonts?: boolean;
}

export interface SanitizePdf {
  /**
   * Remove scripts, files, metadata, links or fonts.
   *
   * Each type of content is removed wherever it occurs: name trees, the document, pages, bookmarks, annotations, form
   * fields at any depth, and chained actions.
   *
   * - `removeJavaScript`: scripts, including those of renditions, 3D artwork and XFA forms, and launch actions, which
   * start programs, and texts where only numbers belong, such as a font matrix, from which viewers have run scripts.
   * An XFA form whose scripts cannot be separated is removed as a whole.
   * - `removeEmbeddedFiles`: attached and associated files, portfolios, sounds, movies, 3D artwork and rich media
   * with their annotations, and actions that open or play them.
   * - `removeXMPMetadata`: XMP metadata of the document, its parts and its JPEG images, and with it the standards
   * that it declares.
   * - `removeMetadata`: the document information, private data of programs, and metadata in JPEG images (Exif, IPTC);
   * the file gets a new identifier.
   * - `removeLinks`: everything that leads or sends data outside the document: web addresses, other files, programs,
   * forms that are submitted or filled from elsewhere, and any script on a link. The link areas stay, and so do links
   * within the document.
   * - `removeFonts`: embedded font programs. Text stays and can be searched, and is shown in the viewer's own fonts;
   * declarations of PDF/A and the like are removed. Type 3 fonts are drawings and stay. Some viewers cannot show text
   * whose codes are glyph numbers (Identity-H without a character collection) with other fonts, especially Chinese,
   * Japanese and Korean: a warning says so.
   *
   * Passwords, permissions and the producer stay as they were. If all flags are false, the file is rewritten without
   * earlier revisions. `X-Tool-Report` says how many items of each type were removed.
   *
   * POST /api/v1/security/sanitize-pdf
   */
  sanitizePdf(file: Input, options?: SanitizePdfOptions, call?: CallOptions): Promise<FileResult>;
}
