import { composePdf, type ComposedPdf, type ComposePdfOptions } from '@quire/document/composition/pdf';
import type { Language } from '@quire/document/invoices/labels';
import { type ShownInvoice, viewInvoice } from './view/view-invoice.js';

/** The invoice as PDF/A-3a. */
export function renderPdf(shown: ShownInvoice, language: Language, options: ComposePdfOptions): Promise<ComposedPdf> {
  return composePdf(viewInvoice(shown, language), options);
}
