import { defineOperation, type JoiRoot, shown } from '@quire/registry';
import { openWith, passwordField, passwords } from './invoice-password.js';
import { invoiceSchema } from './invoice-schema.js';

interface ExtractParams {
  output: 'json' | 'xml' | 'zip';
  password: string;
}

/** Returns the data of an electronic invoice. */
export const extract = defineOperation<ExtractParams>({
  path: 'invoice/extract',
  name: 'extractInvoice',
  since: '0.1.0',
  summary: 'Extract the data of an electronic invoice',
  title: 'Extract invoice data',
  icon: 'file-json',
  order: 20,
  screen: 'invoices',
  keywords: [
    'zugferd',
    'factur-x',
    'xrechnung',
    'ubl',
    'cii',
    'xml',
    'json',
    'attachments',
    'business terms',
    'e-invoice',
    'e-rechnung',
  ],
  notes: [
    'Accepts a PDF with an embedded invoice or the XML itself: Factur-X, ZUGFeRD 1 and 2, XRechnung, Peppol BIS, and ' +
      'other invoices in CII and UBL.',
    '`json`: the invoice by the business terms of EN 16931, the same for every syntax. Amounts, quantities and rates ' +
      'are texts as they were written, never floats; dates are `YYYY-MM-DD` where they exist. `terms` lists every ' +
      'value with its number (BT-1), name and path; `unread` lists content of the XML that EN 16931 has no term for, ' +
      'with its place. Supporting documents are in `invoice.supportingDocuments` as base64.',
    '`xml`: the XML as it is in the file, byte for byte. `zip`: the XML, the files that are attached to the invoice ' +
      '(BT-125), and the other files that a PDF carries. An attachment that is too large (50 MB, or 200 MB in total) ' +
      'or damaged is left out with a warning.',
  ].join('\n\n'),
  accepts: ['pdf', 'xml'],
  files: 'each',
  returns: {
    kind: { by: 'output', map: { json: 'json', xml: 'xml', zip: 'zip' } },
    name: '{base}_invoice',
    holds: extractedSchema,
  },
  passwords,
  params: (joi) =>
    joi.object<ExtractParams, true>({
      output: shown(
        joi
          .string()
          .empty('')
          .valid('json', 'xml', 'zip')
          .default('json')
          .description('The terms as JSON, the XML as it is, or the XML and all attachments in a zip')
          .example('json'),
        { label: 'Format', help: '', options: { json: 'JSON', xml: 'XML', zip: 'XML and attachments (zip)' } },
      ),
      password: passwordField(joi),
    }),
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'INVOICE_NONE',
    'INVOICE_UNREADABLE',
  ],
  examples: [
    {
      title: 'the terms of a hybrid invoice',
      files: ['hybrid.pdf'],
      params: {},
      expect: { names: ['hybrid_invoice.json'] },
    },
    {
      title: 'its XML',
      files: ['hybrid.pdf'],
      params: { output: 'xml' },
      expect: { names: ['hybrid_invoice.xml'] },
    },
    {
      title: 'an XML invoice with its attachments',
      files: ['invoice-ubl.xml'],
      params: { output: 'zip' },
      expect: { names: ['invoice-ubl_invoice.zip'] },
    },
    { title: 'a PDF without an invoice', files: ['page.pdf'], params: {}, expect: { refused: 'INVOICE_NONE' } },
    {
      title: 'the XML of an encrypted PDF',
      files: ['locked.pdf'],
      params: { output: 'xml', password: 'owner' },
      expect: { names: ['locked_invoice.xml'] },
    },
    {
      title: 'a wrong password',
      files: ['locked.pdf'],
      params: { password: 'wrong' },
      expect: { refused: 'PDF_ENCRYPTED' },
    },
  ],
  run: async (file, { output, password }, ctx) => {
    const { findInvoiceXml, readInvoiceFile } = await import('@quire/document/structure/invoices/reading');
    const { path } = await openWith(password, file, ctx);
    if (output === 'xml') return [await ctx.output(file, (await findInvoiceXml(path, file.kind)).bytes)];
    const found = await readInvoiceFile(path, file.kind);
    if (output === 'json') {
      const { invoiceAsJson } = await import('../functions/exchange/invoice-as-json.js');
      return [await ctx.output(file, Buffer.from(JSON.stringify(invoiceAsJson(found))))];
    }
    const { zipInvoice } = await import('../functions/exchange/zip-invoice.js');
    const target = `${await ctx.folder()}/invoice.zip`;
    const options = { path, target, scratch: await ctx.folder(), signal: ctx.signal };
    for (const warning of await zipInvoice(found, options)) ctx.warn(warning);
    return [await ctx.adopt(file, target)];
  },
});

/** The JSON that `invoiceAsJson` writes. */
function extractedSchema(joi: JoiRoot) {
  const text = (description: string, example: string) =>
    joi.string().allow('').required().description(description).example(example);
  const known = (description: string, example: string) => text(description, example).allow(null);
  return joi.object({
    standard: known('Standard, such as Factur-X, XRechnung, Peppol BIS Billing, CII, UBL', 'Factur-X'),
    version: known('Version of the standard', '1.0'),
    profile: known('Profile, as parameters of other tools have it', 'en16931'),
    specification: known('Specification identifier (BT-24)', 'urn:cen.eu:en16931:2017'),
    syntax: joi
      .string()
      .valid('cii', 'ubl-invoice', 'ubl-creditnote', 'zugferd1')
      .required()
      .description('Syntax of the XML')
      .example('cii'),
    invoice: invoiceSchema(joi).required(),
    terms: joi
      .array()
      .items(
        joi
          .object({
            term: text('Number of the business term', 'BT-1'),
            name: text('Name of the term in EN 16931', 'Invoice number'),
            path: text('Place in `invoice`', 'number'),
            value: text('Value; of an attached file its name', 'R-2026-0042'),
            scheme: joi.string().allow('').description('Scheme of an identifier').example('0088'),
          })
          .label('InvoiceTerm'),
      )
      .required()
      .description('All values in the order of the standard'),
    unread: joi
      .array()
      .items(
        joi
          .object({
            xpath: text('Place in the XML', '/rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:Name'),
            line: joi.number().integer().required().description('Line in the XML').example(12),
            value: text('Text', 'Invoice'),
          })
          .label('UnreadInvoiceContent'),
      )
      .required()
      .description('Content of the XML that EN 16931 has no term for'),
    attachments: joi
      .array()
      .items(
        joi
          .object({
            name: text('File name', 'timesheet.pdf'),
            mimeCode: known('Media type', 'application/pdf'),
            size: joi.number().integer().allow(null).required().description('Bytes').example(20480),
            from: joi
              .string()
              .valid('invoice', 'pdf')
              .required()
              .description('In the XML (BT-125), or in the PDF around it')
              .example('invoice'),
          })
          .label('InvoiceFile'),
      )
      .required()
      .description('Attached files; `output=zip` returns them'),
  });
}
