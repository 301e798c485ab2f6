/** Syntaxes that can be written. */
export const writtenSyntaxes = ['cii', 'ubl'] as const;
export type WrittenSyntax = (typeof writtenSyntaxes)[number];
