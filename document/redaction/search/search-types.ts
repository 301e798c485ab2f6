export interface SearchTerm {
  readonly text: string;
  /** True for a pattern in the syntax of `translatePattern`. */
  readonly regex?: boolean;
  /** True if the match must not start or end within a word. */
  readonly wholeWord?: boolean;
  /** True if upper and lower case differ. */
  readonly matchCase?: boolean;
}

/** A match in a text; `end` is exclusive. */
export interface TextMatch {
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

/** Time limits in milliseconds. */
export interface SearchLimits {
  /** For all terms in the texts of one call. Default 5000, and 20 for each pattern. */
  readonly each?: number;
  /** For all calls of this search. Default 30 000, and 1000 for each pattern. */
  readonly all?: number;
}
