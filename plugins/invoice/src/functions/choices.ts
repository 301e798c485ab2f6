import type { ProfileId } from '@quire/document/invoices/profiles';

/** Profiles whose rules can be asked for, with their titles. */
export const checkedProfiles = {
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

export type CheckedProfile = keyof typeof checkedProfiles;
