import type { ProfileId } from '@quire/document/invoices/profiles';

/** Profiles that can be written, in the order of what they can hold. */
export const writtenProfiles = [
  'minimum',
  'basic-wl',
  'basic',
  'en16931',
  'extended',
  'xrechnung',
  'xrechnung-extension',
  'xrechnung-cvd',
  'peppol',
] as const satisfies readonly ProfileId[];
export type WrittenProfile = (typeof writtenProfiles)[number];

/** Their names for people. */
export const profileTitles: Readonly<Record<WrittenProfile, string>> = {
  minimum: 'Factur-X MINIMUM',
  'basic-wl': 'Factur-X BASIC WL',
  basic: 'Factur-X BASIC',
  en16931: 'EN 16931',
  extended: 'Factur-X EXTENDED',
  xrechnung: 'XRechnung',
  'xrechnung-extension': 'XRechnung Extension',
  'xrechnung-cvd': 'XRechnung CVD',
  peppol: 'Peppol BIS Billing',
};

/** Syntaxes that can be written. */
export const writtenSyntaxes = ['cii', 'ubl'] as const;
export type WrittenSyntax = (typeof writtenSyntaxes)[number];
