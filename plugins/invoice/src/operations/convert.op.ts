import { booleanField, defineOperation, type JoiRoot, shown } from '@quire/registry';
import { type ChosenProfile, chosenProfiles, profileTitles } from '../functions/choices.js';
import { type WrittenSyntax, writtenSyntaxes } from '../functions/exchange/choices.js';
import { openWith, passwordField, passwords } from './invoice-password.js';

interface ConvertParams {
  target: WrittenSyntax;
  profile?: ChosenProfile;
  strict: boolean;
  output: 'xml' | 'json';
  password: string;
}

/** Writes an electronic invoice in another syntax or profile. */
export const convert = defineOperation<ConvertParams>({
  path: 'invoice/convert',
  name: 'convertInvoice',
  since: '0.1.0',
  summary: 'Convert an invoice between CII, UBL and profiles',
  title: 'Convert an invoice',
  icon: 'arrow-left-right',
  order: 70,
  screen: 'invoices',
  keywords: [
    'zugferd',
    'factur-x',
    'xrechnung',
    'peppol',
    'ubl',
    'cii',
    'zugferd 1 to 2',
    'upgrade',
    'profile',
    'e-invoice',
    'e-rechnung',
  ],
  notes: [
    'Accepts a PDF with an embedded invoice or the XML itself, and returns XML: CII D16B, or UBL 2.1 (a credit note ' +
      'for the type codes of credit notes). ZUGFeRD 1.0 becomes the profile of Factur-X and ZUGFeRD 2 that follows it.',
    'With a profile, its identifier is written (BT-24), and terms that it cannot hold are left out. Each value that ' +
      'is lost, and all content that EN 16931 has no term for, is a warning; `strict=true` refuses the conversion ' +
      'instead. `output=json` returns the XML and the whole list.',
    'Values are kept as they are. What a profile demands and the invoice lacks is not added: check the result with ' +
      '`invoice/validate`. Only what the schema of the target demands and the standard does not is derived: the VAT ' +
      'total of UBL from the breakdown, the gross price of CII from net price and discount, a discount of 0 for UBL.',
  ].join('\n\n'),
  accepts: ['pdf', 'xml'],
  files: 'each',
  returns: {
    kind: { by: 'output', map: { xml: 'xml', json: 'json' } },
    name: '{base}_{target}',
    holds: convertedSchema,
  },
  passwords,
  params: (joi) =>
    joi.object<ConvertParams, true>({
      target: shown(
        joi
          .string()
          .empty('')
          .valid(...writtenSyntaxes)
          .default('cii')
          .description('Syntax of the result: UN/CEFACT CII D16B or OASIS UBL 2.1')
          .example('ubl'),
        {
          label: 'Syntax',
          help: '',
          options: { cii: 'CII (Factur-X, ZUGFeRD, XRechnung)', ubl: 'UBL (Peppol, XRechnung)' },
        },
      ),
      profile: shown(
        joi
          .string()
          .empty('')
          .valid(...chosenProfiles)
          .description(
            'Profile of the result. Default: that of the invoice; en16931 where the syntax does not have it, and the ' +
              'profile of Factur-X that follows one of ZUGFeRD 1',
          )
          .example('xrechnung'),
        { label: 'Profile', help: 'Leave empty to keep the profile.', options: profileTitles },
      ),
      strict: shown(booleanField(joi, 'Refuses a conversion that would lose a value', false), {
        label: 'Refuse losses',
        help: '',
      }),
      output: shown(
        joi
          .string()
          .empty('')
          .valid('xml', 'json')
          .default('xml')
          .description('The XML, or JSON with the XML and the list of what is lost')
          .example('xml'),
        { label: 'Format', help: '', options: { xml: 'XML', json: 'XML and losses as JSON' } },
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
    'INVOICE_LOSSY',
  ],
  examples: [
    {
      title: 'CII to UBL',
      files: ['invoice-cii.xml'],
      params: { target: 'ubl' },
      expect: { names: ['invoice-cii_ubl.xml'] },
    },
    {
      title: 'the XML of a PDF in profile BASIC, with the list of losses',
      files: ['hybrid.pdf'],
      params: { profile: 'basic', output: 'json' },
      expect: { names: ['hybrid_cii.json'] },
    },
    {
      title: 'losses refused',
      files: ['invoice-ubl.xml'],
      params: { profile: 'minimum', strict: true },
      expect: { refused: 'INVOICE_LOSSY' },
    },
    {
      title: 'a profile of Factur-X in UBL',
      files: ['invoice-ubl.xml'],
      params: { target: 'ubl', profile: 'basic' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'the XML of an encrypted PDF to UBL',
      files: ['locked.pdf'],
      params: { target: 'ubl', password: 'user' },
      expect: { names: ['locked_ubl.xml'] },
    },
  ],
  run: async (file, { output, password, ...options }, ctx) => {
    const [{ readInvoiceFile }, { convertInvoice, lossWarnings }] = await Promise.all([
      import('@quire/document/structure/invoices/reading'),
      import('../functions/exchange/convert-invoice.js'),
    ]);
    const { path } = await openWith(password, file, ctx);
    const converted = convertInvoice(await readInvoiceFile(path, file.kind), options);
    for (const warning of lossWarnings(converted)) ctx.warn(warning);
    ctx.report({ profile: converted.profile, lost: converted.lost.length, unread: converted.unread.length });
    return [await ctx.output(file, Buffer.from(output === 'xml' ? converted.xml : JSON.stringify(converted)))];
  },
});

/** The JSON of `convertInvoice`. */
function convertedSchema(joi: JoiRoot) {
  const text = (description: string, example: string) =>
    joi.string().allow('').required().description(description).example(example);
  return joi.object({
    xml: text('The converted invoice', '<?xml version="1.0" encoding="UTF-8"?>…'),
    syntax: joi
      .string()
      .valid(...writtenSyntaxes)
      .required()
      .description('Syntax of the XML')
      .example('ubl'),
    profile: text('Profile of the XML; null if its identifier is not known', 'xrechnung').allow(null),
    lost: joi
      .array()
      .items(
        joi
          .object({
            term: text('Number of the business term', 'BT-19'),
            name: text('Name of the term in EN 16931', 'Buyer accounting reference'),
            path: text('Place in the JSON of `invoice/extract`', 'buyerAccountingReference'),
            value: text('The value that is lost', '4711'),
          })
          .label('LostInvoiceTerm'),
      )
      .required()
      .description('Terms that the syntax or the profile has no place for'),
    unread: joi
      .array()
      .items(
        joi
          .object({
            xpath: text('Place in the XML that was converted', '/ubl:Invoice/cbc:CopyIndicator'),
            line: joi.number().integer().required().description('Line in that XML').example(12),
            value: text('Text', 'false'),
          })
          .label('LostInvoiceContent'),
      )
      .required()
      .description('Content that EN 16931 has no term for'),
  });
}
