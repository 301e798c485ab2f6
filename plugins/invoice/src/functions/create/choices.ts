/** Profiles that invoices are created in. ZUGFeRD 1 is obsolete. */
export const createdProfiles = [
  'minimum',
  'basic-wl',
  'basic',
  'en16931',
  'extended',
  'xrechnung',
  'xrechnung-extension',
  'xrechnung-cvd',
  'peppol',
] as const;
export type CreatedProfile = (typeof createdProfiles)[number];

/** What an invoice is written as. */
export const createdFormats = ['cii', 'ubl', 'pdf'] as const;
export type CreatedFormat = (typeof createdFormats)[number];
