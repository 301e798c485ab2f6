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
  readonly profileTitle: string | null;
  readonly violations: readonly Violation[];
}

/** Answer of `invoice/extract` as JSON. */
export interface Extracted {
  readonly invoice: Invoice;
  /** Content of the XML that the model has no place for. */
  readonly unread: readonly { readonly xpath: string; readonly line: number; readonly value: string }[];
}

/** Answer of `invoice/detect`, as far as it is shown. */
export interface Detected {
  readonly standard: string | null;
  readonly version: string | null;
  readonly profileTitle: string | null;
  readonly specification: string | null;
  /** The file in the PDF; null for XML. */
  readonly attachment: { readonly name: string; readonly relationship: string | null } | null;
  readonly xmp: readonly { readonly level?: string }[];
  /** The PDF/A that the file claims to be: `3B`. */
  readonly pdfa: string | null;
  /** What the XML says and the PDF around it. */
  readonly agreement: readonly { readonly check: string; readonly ok: boolean; readonly message: string | null }[];
  readonly agrees: boolean;
}

/** Whether an answer has a value: members without one are null or left out. */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
