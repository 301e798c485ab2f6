export { findInvoiceXml, type InvoiceFile, readInvoiceFile, readInvoiceXml } from './read-invoice-file.js';
