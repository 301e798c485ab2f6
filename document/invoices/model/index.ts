export { type Additions, extendedTerms } from './extended.js';
export {
  invoiceModel,
  invoiceTerms,
  type Address,
  type AllowanceOrCharge,
  type Invoice,
  type InvoiceLine,
  type VatBreakdown,
} from './invoice.js';
export { lineTerms } from './lines.js';
export type { BinaryObject, Group, Holding, Occurs, SchemedIdentifier, Term, Terms, TermType } from './term.js';
