import type { Invoice } from '@quire/document/invoices/model';

export type Severity = 'fatal' | 'warning' | 'information';

/** A rule that an invoice breaks, as `invoice/validate` reports it. */
export interface Violation {
  readonly rule: string;
  readonly severity: Severity;
  /** Business terms and groups that the rule is about: `BT-112`, `BG-23`. */
  readonly terms: readonly string[];
  readonly location?: { readonly xpath: string; readonly line: number } | null;
  readonly value?: string | null;
  readonly message: { readonly en: string; readonly de: string };
}

/** Answer of `invoice/validate`. */
export interface Verdict {
  readonly valid: boolean;
  readonly standard: string | null;
  readonly profile: string | null;
  readonly violations: readonly Violation[];
}

/** Answer of `invoice/extract` as JSON. */
export interface Extracted {
  readonly invoice: Invoice;
}

/** Answer of `invoice/detect`, as far as it is shown. */
export interface Detected {
  readonly [fact: string]: unknown;
}
