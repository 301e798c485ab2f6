import { DocumentError } from '../../../errors.js';

/** An XML file that cannot be read as an invoice; the sentence names the line where there is one. */
export class InvoiceXmlError extends DocumentError {
  constructor(
    /** Why, as a sentence without the line. */
    readonly reason: string,
    /** From 1. */
    readonly line?: number,
  ) {
    super('INPUT_INVALID', { detail: line === undefined ? reason : `Line ${line}: ${reason}` });
    this.name = 'InvoiceXmlError';
    this.message = line === undefined ? reason : `Line ${line}: ${reason}`;
  }
}
