// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input, Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RedactPdfOptions {
  /** Phrases to redact, matched exactly except for case; repeat the field for several. Default: []. */
  readonly textValues?: string | readonly (string | number)[];
  /** Regular expressions in Java syntax; repeat the field for several. Default: []. */
  readonly regexPatterns?: string | readonly (string | number)[];
  /**
   * JSON list of {text, regex, wholeWord, matchCase}: phrases, or regular expressions in Java syntax with regex; the
   * last three are false if absent.
   */
  readonly terms?: Json;
  /** Ready patterns, repeated or joined by commas: email, phone, iban, card, date, address. Default: []. */
  readonly presets?: string | readonly (string | number)[];
  /**
   * Ids of matches that stay, from redact-preview of the same file and terms; repeat the field, or join them by
   * commas. Default: [].
   */
  readonly keep?: string | readonly (string | number)[];
  /** Pages to empty, from 1; values that are not page numbers are ignored. Default: []. */
  readonly wipePages?: string | readonly (string | number)[];
  /** JSON list of {startString, endString}; without endString the range goes to the end of the document. */
  readonly ranges?: string;
  /** JSON list of {pageIndex, x1, y1, x2, y2}; pages count from 0, coordinates are points from the bottom left. */
  readonly imageBoxes?: string;
  /** Pages to remove images from, from 1; empty means all pages, absent means none. */
  readonly redactImagePages?: string | readonly (string | number)[];
  /**
   * JSON {color, caption, padding, convertToImage, strategy}; caption is written into the boxes; strategy is AUTO,
   * OVERLAY_ONLY or IMAGE_FINALIZE, which converts every page to one image.
   */
  readonly style?: string;
  /**
   * How the result is checked: text reads the text of the file; ocr also draws every page and reads it with OCR,
   * which takes seconds per page, and fails if a term can still be read. Default: text.
   */
  readonly verify?: 'text' | 'ocr';
  /**
   * Languages for verify=ocr, named as in GET /api/v1/ui-data/ocr-pdf; English, or what is installed, if absent.
   * Default: [].
   */
  readonly languages?: string | readonly (string | number)[];
}

export interface RedactPdf {
  /**
   * Redact text, ranges, images and pages in one call.
   *
   * At least one target is required. Text is redacted as in auto-redact, areas as in redact, and the result is
   * checked before it is returned (422). A list field that is sent once may contain commas: the whole value and each
   * of its parts are searched for, in `regexPatterns` only if every part is a valid pattern. A range goes from its
   * start phrase to the next end phrase in reading order, column by column; ranges whose phrases are not found are
   * skipped and counted in `X-Tool-Report` (`rangesSkipped`). The strategy OVERLAY_ONLY removes text just as AUTO
   * does: text never remains under a box. Matches named in `keep` stay (`keptMatches` in the report): of their terms,
   * every other match on pages is removed where it stands, and outside of the content of pages (bookmarks,
   * properties, annotations, form fields, attachments) every one; the result is checked for them only at these
   * places.
   *
   * POST /api/v1/security/redact-execute
   */
  redactPdf(file: Input, options?: RedactPdfOptions, call?: CallOptions): Promise<FileResult>;
}
