/** What an invoice is written as. */
export const createdFormats = ['cii', 'ubl', 'pdf'] as const;
export type CreatedFormat = (typeof createdFormats)[number];
