/** What an inspection looks for, and what it refuses. */
export interface InspectLimits {
  /** A document with more pages throws INPUT_TOO_MANY_PAGES. */
  readonly maxPages?: number;
  readonly password?: string;
  /**
   * True returns facts about a locked document instead of throwing PDF_ENCRYPTED; `pages` is then 0, because they
   * cannot be counted.
   */
  readonly allowLocked?: boolean;
  /** True looks for damage (`PdfFacts.damage`), which reads the content streams of the pages. */
  readonly findDamage?: boolean;
  /**
   * True for a file that an earlier run found sound, or wrote from sound files: it is neither searched for damage nor
   * for structure bombs.
   */
  readonly sound?: boolean;
  /**
   * True when the file is opened next, and nothing is appended to it: the next reader gets the objects and contents
   * that the search for damage read. An appended update would compare all of them with the file.
   */
  readonly readsOn?: boolean;
  /**
   * False keeps no decoded contents with `readsOn`: for operations that hardly decode any, such as joining files, which
   * would only copy them and clear them away. True by default.
   */
  readonly keepsContents?: boolean;
}
