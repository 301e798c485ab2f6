export { embedInvoice, removeInvoices } from './embed-invoice.js';
export {
  type AttachmentPlace,
  type EmbeddedInvoice,
  findInvoices,
  findInvoicesIn,
  hasInvoice,
  type HybridFacts,
  invoiceFileNames,
  isInvoice,
} from './find-invoices.js';
export { type ClaimedBy, claimNamespaces, type InvoiceClaim, invoiceClaims } from './xmp-claim.js';
