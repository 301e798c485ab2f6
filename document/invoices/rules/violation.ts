/** A sentence for accountants, in the languages of the reports. */
export interface Sentence {
  readonly en: string;
  readonly de: string;
}

/** `fatal`: the invoice is not valid. */
export type Severity = 'fatal' | 'warning' | 'information';

/** Where in the XML: an XPath with the prefixes of the file, and a line that counts from 1. */
export interface Place {
  readonly xpath: string;
  readonly line: number;
}

/** A rule that an invoice breaks, once for each place. */
export interface Violation {
  /** `BR-CO-15`; `BR-CO-05-strict` where only the standard's own wording is broken (see `rules/README.md`). */
  readonly rule: string;
  readonly severity: Severity;
  /** Business terms and groups that the rule is about, such as `BT-112`. */
  readonly terms: readonly string[];
  /** Undefined where the PDF is at fault and not its XML. */
  readonly location: Place | undefined;
  /** What was found there; undefined where something is missing. */
  readonly value: string | undefined;
  readonly message: Sentence;
}
