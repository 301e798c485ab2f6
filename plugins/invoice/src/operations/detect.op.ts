import { defineOperation, type JoiRoot } from '@quire/registry';
import { standards } from '../functions/choices.js';
import { openWith, passwordField, passwords } from './invoice-password.js';

interface DetectParams {
  password: string;
}

type Text = ReturnType<JoiRoot['string']>;

/** Says whether a file is or carries an electronic invoice. */
export const detect = defineOperation<DetectParams>({
  path: 'invoice/detect',
  name: 'detectInvoice',
  since: '0.1.0',
  summary: 'Detect an electronic invoice',
  title: 'Detect an invoice',
  icon: 'scan-search',
  order: 10,
  screen: 'invoices',
  keywords: ['zugferd', 'factur-x', 'xrechnung', 'ubl', 'cii', 'e-invoice', 'e-rechnung', 'is it an invoice', 'xmp'],
  notes: [
    'Accepts a PDF or an XML file. `found` is true for Factur-X, ZUGFeRD 1 and 2, XRechnung, Peppol BIS, and other ' +
      'invoices in CII and UBL. Order-X and FatturaPA are named in `standard`, and `found` is false. What is in the ' +
      'invoice is not checked; `invoice/validate` does that.',
    'The XML of a PDF is found by its name (`factur-x.xml`, `xrechnung.xml`, `zugferd-invoice.xml`, ' +
      '`ZUGFeRD-invoice.xml`), or else by its root element. The XML decides standard and profile. `agreement` lists ' +
      'what the PDF says about it and whether that fits: name, relationship, XMP metadata, PDF/A-3 claim. With two ' +
      'invoices in one PDF both are in `invoices`, and the first one counts.',
  ].join('\n\n'),
  accepts: ['pdf', 'xml'],
  files: 'each',
  returns: {
    json: (joi) => {
      const text = (description: string, example: string): Text =>
        joi.string().allow(null).description(description).example(example);
      const attachment = joi
        .object({
          name: joi.string().allow('').required().description('File name').example('factur-x.xml'),
          relationship: text('AFRelationship', 'Alternative'),
          mediaType: text('Declared media type', 'text/xml'),
          size: joi.number().integer().allow(null).description('Declared size in bytes').example(9622),
          modified: text('Modification date, ISO 8601', '2026-11-28T10:00:00Z'),
          inNameTree: joi.boolean().required().description('It is in the list of embedded files').example(true),
          associated: joi.boolean().required().description('It is in the AF array of the catalog').example(true),
        })
        .label('InvoiceAttachment');
      const invoice = {
        standard: text(`Standard: ${standards.join(', ')}`, 'Factur-X'),
        version: text('Version of the standard', '1.0'),
        profile: text('Profile, as parameters of other tools have it', 'en16931'),
        profileTitle: text('Profile for people', 'EN 16931'),
        specification: text('Specification identifier (BT-24)', 'urn:cen.eu:en16931:2017'),
        syntax: text('Kind of XML: cii, ubl-invoice, ubl-creditnote, zugferd1, or another document', 'cii'),
        problem: text('Why the XML cannot be read; null if it can', 'Line 3: the file is not well-formed XML'),
        attachment: attachment.allow(null).description('The embedded file; null for an XML file'),
      };
      return joi.object({
        found: joi.boolean().required().description('There is an invoice').example(true),
        ...invoice,
        invoices: joi
          .array()
          .items(joi.object(invoice).label('DetectedInvoice'))
          .required()
          .description('All invoices; the first one counts'),
        otherAttachments: joi.array().items(attachment).required().description('Other embedded files'),
        xmp: joi
          .array()
          .items(
            joi
              .object({
                namespace: joi.string().required().description('Namespace of the properties'),
                documentType: joi.string().allow('').description('DocumentType').example('INVOICE'),
                fileName: joi.string().allow('').description('DocumentFileName').example('factur-x.xml'),
                version: joi.string().allow('').description('Version').example('1.0'),
                level: joi.string().allow('').description('ConformanceLevel').example('EN 16931'),
                schemaDeclared: joi.boolean().required().description('PDF/A extension schema present').example(true),
              })
              .label('InvoiceXmp'),
          )
          .required()
          .description('What the XMP metadata of a PDF say about its invoice'),
        pdfa: text('PDF/A that the file claims', '3B'),
        agreement: joi
          .array()
          .items(
            joi
              .object({
                check: joi.string().required().description('What is compared').example('xmp-level'),
                ok: joi.boolean().required().description('It is as it has to be').example(false),
                found: joi.string().allow(null, '').description('Value in the PDF').example('BASIC'),
                expected: joi.string().required().description('What the XML demands').example('EN 16931'),
                message: joi.string().allow(null).description('What is wrong, in English'),
              })
              .label('InvoiceAgreement'),
          )
          .required()
          .description('Comparisons of the XML with the PDF around it; empty for XML files'),
        agrees: joi.boolean().required().description('All comparisons are ok').example(true),
      });
    },
  },
  passwords,
  params: (joi) => joi.object<DetectParams, true>({ password: passwordField(joi) }),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a hybrid invoice',
      files: ['hybrid.pdf'],
      params: {},
      expect: {
        json: { found: true, standard: 'Factur-X', profile: 'en16931', syntax: 'cii', pdfa: '3B', agrees: true },
      },
    },
    {
      title: 'an XML invoice',
      files: ['invoice-ubl.xml'],
      params: {},
      expect: { json: { found: true, standard: 'XRechnung', version: '3.0', syntax: 'ubl-invoice' } },
    },
    { title: 'a PDF without an invoice', files: ['page.pdf'], params: {}, expect: { json: { found: false } } },
    {
      title: 'an encrypted invoice',
      files: ['locked.pdf'],
      params: { password: 'user' },
      expect: { json: { found: true, profile: 'en16931' } },
    },
    { title: 'a missing password', files: ['locked.pdf'], params: {}, expect: { refused: 'PDF_ENCRYPTED' } },
  ],
  run: async (file, { password }, ctx) => {
    const { detectInvoice } = await import('../functions/hybrid/detect-invoice.js');
    const { path } = await openWith(password, file, ctx);
    return ctx.json(await detectInvoice(path, file.kind));
  },
});
