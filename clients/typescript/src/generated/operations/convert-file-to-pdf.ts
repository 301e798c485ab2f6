// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertFileToPdf {
  /**
   * Convert Word, Excel, PowerPoint and other files to PDF.
   *
   * Any file with an extension of 2 to 4 letters or digits is tried; LibreOffice decides. The result is tagged and
   * has bookmarks for headings, links and form fields. Macros never run and nothing is loaded from elsewhere:
   * references of OOXML, ODF (zipped or flat), RTF and SVG files to other servers and files, fields that include
   * files and formulas that read them are removed first, and their saved content is shown; references to hosts in
   * `system.html.urlSecurity.allowedDomains` stay, but LibreOffice has no network and shows an empty frame. HTML
   * keeps formatting, tables, links and embedded images. Clickable links stay. Text and CSV may be UTF-8, UTF-16 or
   * windows-1252; CSV may be separated by comma, semicolon, tab or bar. Their cells are printed as written: nothing
   * becomes a number, a date or a formula. A PDF is returned unchanged. Tracked changes are printed, with deleted
   * text struck through, and a warning says so. Characters for which the server has no font are printed as empty
   * boxes, with a warning that names their script.
   *
   * POST /api/v1/convert/file/pdf
   */
  convertFileToPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
