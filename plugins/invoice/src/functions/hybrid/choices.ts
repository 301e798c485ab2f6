/** Profiles whose XML may be embedded in a PDF (Factur-X 1.0, ZUGFeRD 2). */
export const embeddedProfiles = ['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung'] as const;
export type EmbeddedProfile = (typeof embeddedProfiles)[number];

/** Relationships that the specification knows for the XML. */
export const invoiceRelationships = ['Alternative', 'Source', 'Data'] as const;
export type InvoiceRelationship = (typeof invoiceRelationships)[number];
