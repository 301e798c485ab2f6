import { languages, type Language } from '@quire/document/invoices/labels';
import { defineOperation, shown, tokens } from '@quire/registry';
import { type ChosenProfile, chosenProfiles, profileTitles } from '../functions/choices.js';
import { type CreatedFormat, createdFormats } from '../functions/create/choices.js';

interface CreateParams {
  format: CreatedFormat;
  profile?: ChosenProfile;
  language: Language;
}

/** Makes an electronic invoice from its data. */
export const create = defineOperation<CreateParams>({
  path: 'invoice/create',
  name: 'createInvoice',
  since: '0.1.0',
  summary: 'Create an electronic invoice from JSON',
  title: 'Create an invoice',
  icon: 'file-plus',
  order: 50,
  screen: 'invoices/new',
  keywords: ['zugferd', 'factur-x', 'xrechnung', 'peppol', 'ubl', 'cii', 'e-invoice', 'e-rechnung', 'write', 'json'],
  notes: [
    '`fileInput` is JSON on the semantic model of EN 16931: the members of the schema `Invoice`, as `invoice` in the ' +
      'answer of `invoice/extract`. All values are texts, amounts too (`"19.00"`), so that no digit is lost.',
    'What follows from the rest may be left out and is computed: net prices, net amounts of lines, amounts of ' +
      'allowances and charges with base and percentage, the VAT breakdown, and all totals, rounded half up to two ' +
      'places. So are the rate 0 and the exemption code of categories that imply them. A value that is sent and ' +
      'contradicts the computed one is refused with its JSON pointer, what was sent and what was computed. Required ' +
      'terms that are missing are named.',
    'The profile sets the specification identifier (BT-24). The XML is then checked by the rules of its profile, and ' +
      'refused with all violations if it breaks a fatal one. What the profile has no place for is left out and ' +
      'reported as a warning.',
    '`pdf` is a hybrid invoice, PDF/A-3 with the XML embedded. Its page is made from the invoice, or is the PDF in ' +
      '`page`, which becomes PDF/A-3 if it is not.',
  ].join('\n\n'),
  accepts: ['json'],
  files: 'each',
  parts: [
    {
      field: 'page',
      description: 'A PDF that shows the invoice, for the format `pdf`; the default is a page made from the data',
      kinds: ['pdf'],
      label: 'Page',
      when: { format: 'pdf' },
    },
  ],
  returns: {
    kind: { by: 'format', map: { cii: 'xml', ubl: 'xml', pdf: 'pdf' } },
    name: '{base}',
    pages: 'any',
  },
  params: (joi) =>
    joi.object<CreateParams, true>({
      format: shown(
        joi
          .string()
          .empty('')
          .valid(...createdFormats)
          .default('cii')
          .description('XML in CII or UBL, or a PDF with the XML (CII) embedded')
          .example('pdf'),
        {
          label: 'Format',
          help: '',
          options: { cii: 'XML (CII)', ubl: 'XML (UBL)', pdf: 'PDF with XML (ZUGFeRD, Factur-X)' },
        },
      ),
      profile: shown(
        joi
          .string()
          .empty('')
          .valid(...chosenProfiles)
          .description('Profile. Default: the one that the invoice names in BT-24, or EN 16931')
          .example('xrechnung'),
        {
          label: 'Profile',
          help: 'Leave empty for EN 16931.',
          options: profileTitles,
        },
      ),
      language: shown(
        joi
          .string()
          .empty('')
          .valid(...languages)
          .default('en')
          .description('Language of the page that is made for the format `pdf`')
          .example('de'),
        {
          label: 'Language of the page',
          help: '',
          options: { de: 'German', en: 'English', fr: 'French' },
          when: { format: 'pdf' },
        },
      ),
    }),
  needs: { services: [tokens.clock, tokens.pdfToPdfA, tokens.standardsValidator] },
  errors: [
    'INVOICE_INVALID',
    'INVOICE_EXISTS',
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PDFA_IMPOSSIBLE',
  ],
  examples: [
    {
      title: 'XRechnung as UBL',
      files: ['invoice.json'],
      params: { format: 'ubl', profile: 'xrechnung' },
      expect: { names: ['invoice.xml'] },
    },
    {
      title: 'a hybrid PDF with a page in German',
      files: ['invoice.json'],
      params: { format: 'pdf', language: 'de' },
      expect: { names: ['invoice.pdf'] },
    },
    {
      title: 'a total that contradicts the lines',
      files: ['invoice-wrong-total.json'],
      params: {},
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { format, profile, language }, ctx) => {
    const { createXml } = await import('../functions/create/create-xml.js');
    const created = await createXml(await file.bytes(), { format, profile });
    for (const sentence of warningsOf(created)) ctx.warn(sentence);
    ctx.report({ profile: created.profile.id, specification: created.profile.specification });
    if (format !== 'pdf') return [await ctx.output(file, Buffer.from(created.xml))];
    const [{ createHybrid }, { checkWith }] = await Promise.all([
      import('../functions/create/create-hybrid.js'),
      import('@quire/document/standards/pdfa'),
    ]);
    const { path, images } = await createHybrid(
      created,
      { page: ctx.part('page')?.path(), language },
      {
        draw: (part, input, output) =>
          ctx.use(tokens.pdfToPdfA).convert({ part, conformance: 'B' }, input, output, ctx.signal),
        check: (made, goal) =>
          checkWith((input) => ctx.use(tokens.standardsValidator).validate(input, ctx.signal), made, goal),
      },
      {
        now: ctx.use(tokens.clock).now(),
        scratch: await ctx.folder(),
        signal: ctx.signal,
        progress: (done, total) => ctx.progress(done, total),
      },
    );
    if (images !== undefined)
      ctx.warn(
        `Ghostscript could not draw the page: ${images.reason}. Its pages became images, so their text cannot be ` +
          'selected.',
      );
    return [await ctx.adopt(file, path)];
  },
});

interface Warned {
  readonly profile: { readonly title: string };
  readonly lost: readonly { readonly term: string }[];
  readonly warnings: readonly { readonly rule: string; readonly message: { readonly en: string } }[];
}

/** What was left out, and the rules that a careful sender follows. */
function warningsOf({ profile, lost, warnings }: Warned): string[] {
  const terms = [...new Set(lost.map(({ term }) => term))];
  return [
    ...(terms.length === 0 ? [] : [`${profile.title} has no place for ${terms.join(', ')}: left out.`]),
    ...warnings.map(({ rule, message }) => `${rule}: ${message.en}`),
  ];
}
