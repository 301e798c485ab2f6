import { defineOperation, type JoiRoot, shown, tokens } from '@quire/registry';
import { type ChosenProfile, chosenProfiles, profileTitles } from '../functions/choices.js';
import { openWith, passwordField, passwords } from './invoice-password.js';

interface ValidateParams {
  output: 'json' | 'html' | 'pdf' | 'svrl';
  language: 'en' | 'de';
  profile?: ChosenProfile;
  day?: string;
  password: string;
}

/** Checks an electronic invoice against schema, rules and profile. */
export const validate = defineOperation<ValidateParams>({
  path: 'invoice/validate',
  name: 'validateInvoice',
  since: '0.1.0',
  summary: 'Check an electronic invoice against EN 16931 and XRechnung',
  title: 'Check an invoice',
  icon: 'list-checks',
  order: 30,
  screen: 'invoices',
  keywords: ['validate', 'zugferd', 'factur-x', 'xrechnung', 'ubl', 'cii', 'schematron', 'kosit', 'e-rechnung', 'svrl'],
  notes: [
    'Accepts a PDF with an embedded invoice or the XML itself. It checks the XML, its schema (CII D16B, UBL 2.1), ' +
      'code lists, the rules of EN 16931, and those of the profile that the invoice claims (Factur-X 1.0.8, or ' +
      'XRechnung 3.0 with its extension and CVD). `valid` is false if a rule of severity `fatal` fails.',
    'In a PDF it also checks the file around the XML (rules `PDF-…`): PDF/A-3 (with veraPDF, if it is installed), the ' +
      'name of the attachment, its relationship, and the XMP metadata; and whether the pages show the values of the ' +
      'XML (`PAGE-…`). Number, date, totals and IBAN are searched for in the notations of several countries. A value ' +
      'that is missing on the pages is a warning with what they show instead. Scans without text are not compared.',
    'Each violation has the rule, the business terms, the place in the XML (XPath and line), the value found, and a ' +
      'sentence in English and German. Where the published tests of EN 16931 accept more than its text does, the ' +
      'verdict follows the tests, and the stricter reading is reported as `information` with `-strict` after the ' +
      'name of the rule. A rule that is broken in more than 100 places lists 100.',
    'Not covered: the rules of the Peppol network and national rules of other countries. Of ZUGFeRD 1.0 only the ' +
      'sums are checked. FatturaPA and Order-X are rejected.',
  ].join('\n\n'),
  accepts: ['pdf', 'xml'],
  files: 'each',
  returns: {
    kind: { by: 'output', map: { json: 'json', html: 'html', pdf: 'pdf', svrl: 'xml' } },
    name: '{base}_validation',
    holds: reportSchema,
    pages: 'any',
  },
  writes: 'assemble',
  passwords,
  params: (joi) =>
    joi.object<ValidateParams, true>({
      output: shown(
        joi
          .string()
          .empty('')
          .valid('json', 'html', 'pdf', 'svrl')
          .default('json')
          .description('Format of the report')
          .example('json'),
        { label: 'Report', help: '', options: { json: 'JSON', html: 'HTML page', pdf: 'PDF/A', svrl: 'SVRL (XML)' } },
      ),
      language: shown(
        joi
          .string()
          .empty('')
          .valid('en', 'de')
          .default('en')
          .description('Language of the report; JSON has both')
          .example('de'),
        { label: 'Language', help: '', options: { en: 'English', de: 'German' } },
      ),
      profile: shown(
        joi
          .string()
          .empty('')
          .valid(...chosenProfiles)
          .description('Apply the rules of this profile, whatever the invoice claims to be')
          .example('xrechnung'),
        {
          label: 'Rules',
          help: 'Leave empty to apply those of the profile that the invoice names.',
          options: profileTitles,
        },
      ),
      day: shown(
        joi
          .string()
          .empty('')
          .pattern(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/)
          .description('Apply the rules that were in force on this day (YYYY-MM-DD); default: those of today')
          .example('2026-01-31'),
        { label: 'Rules of this day', help: 'Leave empty for the rules of today.' },
      ),
      password: passwordField(joi),
    }),
  needs: { services: [tokens.clock, tokens.standardsValidator] },
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
      title: 'an XML invoice',
      files: ['invoice-ubl.xml'],
      params: {},
      expect: { names: ['invoice-ubl_validation.json'] },
    },
    {
      title: 'a report for people as PDF/A',
      files: ['hybrid.pdf'],
      params: { output: 'pdf', language: 'de' },
      expect: { names: ['hybrid_validation.pdf'] },
    },
    {
      title: 'a hybrid invoice, as SVRL in German',
      files: ['hybrid.pdf'],
      params: { output: 'svrl', language: 'de' },
      expect: { names: ['hybrid_validation.xml'] },
    },
    { title: 'a PDF without an invoice', files: ['page.pdf'], params: {}, expect: { refused: 'INVOICE_NONE' } },
    {
      title: 'an encrypted invoice, which is no PDF/A',
      files: ['locked.pdf'],
      params: { password: 'user' },
      expect: { names: ['locked_validation.json'] },
    },
  ],
  run: async (file, { output, language, profile, day, password }, ctx) => {
    const { validateInvoiceFile } = await import('../functions/validate.js');
    const { path, encrypted } = await openWith(password, file, ctx);
    const { report, read } = await validateInvoiceFile(path, file.kind, {
      encrypted,
      ...(profile === undefined ? {} : { profile }),
      ...(day === undefined ? {} : { day }),
      validatePdfA: (pdf) => ctx.use(tokens.standardsValidator).validate(pdf, ctx.signal),
    });
    const { valid, counts } = report;
    ctx.report({ valid, profile: report.profile, ...counts });
    if (output === 'json') return [await ctx.output(file, Buffer.from(JSON.stringify(report, undefined, 2)))];
    if (output === 'html' || output === 'pdf') {
      const { writeReport } = await import('../functions/write-report.js');
      const checked = { name: file.name, invoice: read?.invoice };
      const now = ctx.use(tokens.clock).now();
      return [
        await ctx.output(file, await writeReport(report, checked, { output, language, now, signal: ctx.signal })),
      ];
    }
    const { svrl } = await import('../functions/svrl.js');
    return [await ctx.output(file, Buffer.from(svrl(report, language)))];
  },
});

/** What a JSON report holds. */
function reportSchema(joi: JoiRoot) {
  const text = (description: string, example: string) =>
    joi.string().allow(null).required().description(description).example(example);
  const violation = joi
    .object({
      rule: joi
        .string()
        .required()
        .description('Rule; XSD for the schema, XML, or PDF- and a check')
        .example('BR-CO-15'),
      severity: joi
        .string()
        .valid('fatal', 'warning', 'information')
        .required()
        .description('What it means for the verdict'),
      terms: joi
        .array()
        .items(joi.string())
        .required()
        .description('Business terms and groups of EN 16931')
        .example(['BT-112', 'BT-109', 'BT-110']),
      location: joi
        .object({
          xpath: joi.string().required().description('XPath in the XML').example('/ubl:Invoice/cac:LegalMonetaryTotal'),
          line: joi.number().integer().required().description('Line in the XML, from 1').example(120),
        })
        .label('InvoiceViolationPlace')
        .description('Place in the XML; absent where there is none'),
      value: joi
        .string()
        .allow('')
        .description('What was found there; absent if something is missing')
        .example('119.00'),
      message: joi
        .object({
          en: joi.string().required().description('In English'),
          de: joi.string().required().description('In German'),
        })
        .label('InvoiceViolationMessage')
        .required()
        .description('What is wrong, for people'),
    })
    .label('InvoiceViolation');
  return joi
    .object({
      valid: joi.boolean().required().description('No fatal rule fails').example(false),
      standard: text('Standard, as in detectInvoice', 'XRechnung'),
      version: text('Version of the standard', '3.0'),
      profile: text('Profile whose rules were applied; null: those of EN 16931', 'xrechnung'),
      profileTitle: text('Profile for people', 'XRechnung'),
      specification: text('Specification identifier (BT-24)', 'urn:cen.eu:en16931:2017'),
      syntax: joi
        .string()
        .valid('cii', 'ubl-invoice', 'ubl-creditnote', 'zugferd1')
        .required()
        .description('Syntax of the XML'),
      attachment: text('Name of the embedded file; null for XML files', 'factur-x.xml'),
      counts: joi
        .object({
          fatal: joi.number().integer().required().description('Fatal violations').example(1),
          warning: joi.number().integer().required().description('Warnings').example(0),
          information: joi.number().integer().required().description('Hints').example(2),
        })
        .label('InvoiceViolationCounts')
        .required()
        .description('How many violations there are of each severity'),
      violations: joi.array().items(violation).required().description('All violations, fatal ones first'),
    })
    .label('InvoiceValidation');
}
