export {
  type AttachmentPlace,
  type EmbeddedInvoice,
  findInvoices,
  findInvoicesIn,
  type HybridFacts,
  invoiceFileNames,
} from './find-invoices.js';
export { type ClaimedBy, claimNamespaces, type InvoiceClaim, invoiceClaims } from './xmp-claim.js';
export { embedInvoice, removeInvoices } from './embed-invoice.js';
