import { composeHtml } from '@quire/document/composition';
import type { Language } from '@quire/document/invoices/labels';
import { type ShownInvoice, viewInvoice } from './view/view-invoice.js';

/** The invoice as one HTML page without scripts and without anything from elsewhere. */
export function renderHtml(shown: ShownInvoice, language: Language): string {
  return composeHtml(viewInvoice(shown, language));
}
