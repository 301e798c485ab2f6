// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AutoRedactOptions {
  /** Terms or patterns, one per line; surrounding spaces and blank lines are ignored. */
  readonly listOfText: string;
  /** Treat each line as a regular expression in Java syntax. Default: false. */
  readonly useRegex?: boolean;
  /** Match whole words only. Default: false. */
  readonly wholeWordSearch?: boolean;
  /** Colour of the boxes in hexadecimal, with or without #; any other value means black. Default: #000000. */
  readonly redactColor?: string;
  /**
   * Extra height in points above and below each box; what it covers is removed as well. From 0 to 14400 pt. Default:
   * 0.
   */
  readonly customPadding?: number;
  /** Convert every page of the result to one image. Default: false. */
  readonly convertPDFToImage?: boolean;
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

export interface AutoRedact {
  /**
   * Search for text or patterns and redact them.
   *
   * Matches are removed from the file: from page content and the forms it draws, annotations, field values,
   * bookmarks, names, attachments, metadata and earlier revisions. A box is drawn in their place. Where a font says
   * one text and shows another, both are searched, and so is text that the glyphs of a Type 3 font draw. Terms in
   * names that no page shows (resources, fonts, tags, roles) are replaced, in identifiers, languages and inline
   * images removed. Two engines then read the changed pages of the result again, and the second engine all others,
   * except, in documents of 16 pages and more, those so plain that every engine reads the same text. If a match is
   * left, the call fails with 422 and returns no file. With `verify=ocr`, the pages of the result are also drawn and
   * read with OCR. Case is always ignored. Plain terms are also found across line ends, hyphenation, spaced-out
   * letters, ligatures and any number of spaces. Patterns use Java regular expression syntax; they see a page as
   * words separated by one space and lines separated by one line feed, and they have a time limit (422). Text in
   * images is not found; `verify=ocr` fails with 422 if it can be read. `X-Tool-Report` holds `matches`; `unreadable`
   * and `unreadableFonts`, the number of characters whose font does not say which characters they are, and the names
   * of these fonts; and `kept`, names with a term that cannot be changed. The last three are also in `X-Warnings`.
   *
   * POST /api/v1/security/auto-redact
   */
  autoRedact(file: Input, options: AutoRedactOptions, call?: CallOptions): Promise<FileResult>;
}
