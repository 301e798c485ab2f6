import type { ProfileId } from '@quire/document/invoices/profiles';

/** Profiles that are written and whose rules can be asked for, with their titles, by what they can hold. */
export const profileTitles = {
  minimum: 'Factur-X MINIMUM',
  'basic-wl': 'Factur-X BASIC WL',
  basic: 'Factur-X BASIC',
  en16931: 'EN 16931',
  extended: 'Factur-X EXTENDED',
  xrechnung: 'XRechnung',
  'xrechnung-extension': 'XRechnung Extension',
  'xrechnung-cvd': 'XRechnung CVD',
  peppol: 'Peppol BIS Billing',
} as const satisfies Partial<Record<ProfileId, string>>;

/** Profiles that invoices can name, with their titles. */
export const filteredProfiles = {
  ...profileTitles,
  'zugferd1-basic': 'ZUGFeRD 1.0 BASIC',
  'zugferd1-comfort': 'ZUGFeRD 1.0 COMFORT',
  'zugferd1-extended': 'ZUGFeRD 1.0 EXTENDED',
} as const satisfies Partial<Record<ProfileId, string>>;

export type ChosenProfile = keyof typeof profileTitles;

export const chosenProfiles = Object.keys(profileTitles) as readonly ChosenProfile[];

/** Names of standards as answers have them. The last two are recognised only. */
export const standards = [
  'Factur-X',
  'ZUGFeRD 2',
  'ZUGFeRD 1',
  'XRechnung',
  'Peppol BIS Billing',
  'EN 16931',
  'CII',
  'UBL',
  'Order-X',
  'FatturaPA',
] as const;
export type Standard = (typeof standards)[number];

/** Profiles whose XML may be embedded in a PDF (Factur-X 1.0, ZUGFeRD 2). */
export const embeddedProfiles = ['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung'] as const;
export type EmbeddedProfile = (typeof embeddedProfiles)[number];

/** Relationships that the specification knows for the XML. */
export const invoiceRelationships = ['Alternative', 'Source', 'Data'] as const;
export type InvoiceRelationship = (typeof invoiceRelationships)[number];
