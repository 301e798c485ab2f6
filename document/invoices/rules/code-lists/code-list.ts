/** The values that a code may have. */
export interface CodeList {
  /** `ISO 4217`. */
  readonly title: string;
  /** Which edition of which publication the values are from. */
  readonly version: string;
  readonly values: ReadonlySet<string>;
  /** Codes that the list had once, with the first day on which they were no longer in it. */
  readonly retired: ReadonlyMap<string, string>;
  has(code: string): boolean;
}

/** The lists as the validation artefacts of EN 16931 use them (ConnectingEurope/eInvoicing-EN16931). */
export const ARTEFACTS = 'eInvoicing-EN16931 1.3.16';
/** Lists that KoSIT's rules for XRechnung 3.0 carry themselves. */
export const XRECHNUNG = 'XRechnung Schematron 2.5.0 for XRechnung 3.0.2';

/** A list from its values, which white space separates. White space around a code does not count, inside it does. */
export function codeList(
  title: string,
  version: string,
  codes: string,
  retired: Readonly<Record<string, string>> = {},
): CodeList {
  const values = new Set(codes.trim().split(/\s+/));
  return { title, version, values, retired: new Map(Object.entries(retired)), has: (code) => values.has(code.trim()) };
}
