import { inputRow } from './row.js';

/** Electronic invoices. */
export const invoiceErrors = {
  INVOICE_NONE: inputRow({
    status: 400,
    type: 'invoice',
    title: 'No invoice',
    text: 'The file in "{field}" has no electronic invoice: {detail}.',
    hint: 'Accepted are Factur-X, ZUGFeRD and XRechnung: a PDF with the XML embedded, or the XML (CII or UBL).',
  }),
  INVOICE_UNREADABLE: inputRow({
    status: 400,
    type: 'invoice',
    title: 'Invoice unreadable',
    text: 'The invoice in "{field}" cannot be read: {detail}.',
  }),
  INVOICE_EXISTS: inputRow({
    status: 409,
    type: 'invoice',
    title: 'PDF has an invoice already',
    text: 'The PDF in "{field}" already contains an invoice ("{found}").',
    hint: 'Send existing=replace to replace it.',
  }),
  INVOICE_NOT_EMBEDDABLE: inputRow({
    status: 400,
    type: 'invoice',
    title: 'Invoice cannot be embedded',
    text: 'The invoice in "{field}" cannot be embedded in a PDF: {detail}.',
  }),
  INVOICE_LOSSY: inputRow({
    status: 422,
    type: 'invoice',
    title: 'Conversion would lose content',
    text: 'The conversion would lose {count} values of the invoice in "{field}": {detail}.',
    hint: 'Send strict=false to convert it without them, or choose a profile that can hold them.',
  }),
  INVOICE_INVALID: inputRow({
    status: 400,
    type: 'invoice',
    title: 'Invoice breaks rules',
    text: 'The invoice in "{field}" breaks {count} rules of {profile}: {detail}.',
    hint: 'The member "errors" lists them all.',
  }),
} as const;
