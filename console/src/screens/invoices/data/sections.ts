import { invoiceModel, type Group, type Term } from '@quire/document/invoices/model';
import { t } from '../texts.ts';

/** A part of an invoice as it is shown: members of the invoice, the first of which needs no title of its own. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly icon: string;
  readonly keys: readonly string[];
}

/** What no other section has is in the first. */
const parts: readonly Section[] = [
  { id: 'seller', title: /* t */ 'Seller', icon: 'store', keys: ['seller', 'taxRepresentative'] },
  {
    id: 'buyer',
    title: /* t */ 'Buyer',
    icon: 'building-2',
    keys: ['buyer', 'buyerReference', 'buyerAccountingReference'],
  },
  { id: 'delivery', title: /* t */ 'Delivery', icon: 'truck', keys: ['delivery'] },
  { id: 'lines', title: /* t */ 'Lines', icon: 'list', keys: ['lines'] },
  { id: 'changes', title: /* t */ 'Allowances and charges', icon: 'percent', keys: ['allowances', 'charges'] },
  { id: 'vat', title: /* t */ 'VAT breakdown', icon: 'landmark', keys: ['vatBreakdown'] },
  { id: 'totals', title: /* t */ 'Totals', icon: 'sigma', keys: ['totals'] },
  {
    id: 'payment',
    title: /* t */ 'Payment',
    icon: 'credit-card',
    keys: ['payment', 'paymentTerms', 'payee', 'thirdPartyPayments'],
  },
  {
    id: 'references',
    title: /* t */ 'References',
    icon: 'link',
    keys: [
      'project',
      'contract',
      'purchaseOrder',
      'salesOrder',
      'receivingAdvice',
      'despatchAdvice',
      'tender',
      'object',
      'precedingInvoices',
    ],
  },
  { id: 'attachments', title: /* t */ 'Attachments', icon: 'paperclip', keys: ['supportingDocuments'] },
];

const placed = new Set(parts.flatMap(({ keys }) => keys));

export const sections: readonly Section[] = [
  {
    id: 'invoice',
    title: /* t */ 'Invoice',
    icon: 'receipt-text',
    keys: Object.keys(invoiceModel.terms).filter((key) => !placed.has(key)),
  },
  ...parts,
];

export function nodeOf(key: string): Term | Group {
  return invoiceModel.terms[key]!;
}

export function titleOf({ title }: Section): string {
  return t(title);
}
