// Generated from the declarations of the operations by `npm run docs`.

import type { Input, Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface PreviewRedactionOptions {
  /**
   * JSON list of {text, regex, wholeWord, matchCase}: phrases, or regular expressions in Java syntax with regex; the
   * last three are false if absent.
   */
  readonly terms?: Json;
  /** Ready patterns, repeated or joined by commas: email, phone, iban, card, date, address. Default: []. */
  readonly presets?: string | readonly (string | number)[];
}

/** Answer of `previewRedaction`. */
export type PreviewRedactionAnswer = {
  /** Pages of the document */
  readonly pages: number;
  /** In the order of pages and lines */
  readonly matches: readonly {
    /** For `keep` of redact-execute */
    readonly id: string;
    /** From 1 */
    readonly page: number;
    /** Numbers of the terms that match here, from 1; those of `presets` follow those of `terms` */
    readonly terms: readonly number[];
    /** Text before the match */
    readonly before: string;
    /** The match as it was read */
    readonly text: string;
    /** Text after the match */
    readonly after: string;
    /** The letters, line by line */
    readonly letters: readonly (readonly number[])[];
    /** The boxes that are drawn over them */
    readonly boxes: readonly (readonly number[])[];
  }[];
  /**
   * What is removed or changed outside of pages: `annotations`, `widgets` (form fields), `strings`, `streams`,
   * `names`, `actions`, `files`, `hiddenPages`; those without any are absent
   */
  readonly elsewhere: Readonly<Record<string, number>>;
  /** Characters that cannot be searched, because their fonts do not say which they are */
  readonly unreadable: number;
  /** Names of these fonts */
  readonly unreadableFonts: readonly string[];
};

export interface PreviewRedaction {
  /**
   * List the matches that redaction would remove.
   *
   * Searches exactly as redact-execute does, with both of its readers on every page, and changes nothing. Send the
   * `id` of matches that must stay to redact-execute as `keep`, with the same file, `terms` and `presets`.
   *
   * Matches that overlap are one match with several `terms`. `letters` and `boxes` are corners of quadrilaterals (x0,
   * y0, … x3, y3), one for each line of the match, in points of the own coordinates of the page. `elsewhere` counts
   * what redaction of these terms would remove or change outside of the content of pages, where no match can be kept:
   * annotations, form fields, strings such as titles and bookmarks, attachments. If anything is redacted on a page,
   * author, subject, keywords and XMP are removed in any case.
   *
   * POST /api/v1/security/redact-preview
   */
  previewRedaction(file: Input, options?: PreviewRedactionOptions, call?: CallOptions): Promise<PreviewRedactionAnswer>;
}
