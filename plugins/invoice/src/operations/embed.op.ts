import { defineOperation, shown, tokens } from '@quire/registry';
import {
  type EmbeddedProfile,
  embeddedProfiles,
  type InvoiceRelationship,
  invoiceRelationships,
} from '../functions/choices.js';
import { openWith, passwordField, passwords } from './invoice-password.js';

interface EmbedParams {
  profile?: EmbeddedProfile;
  relationship?: InvoiceRelationship;
  existing: 'refuse' | 'replace';
  password: string;
}

/** Makes a hybrid invoice (Factur-X, ZUGFeRD) of a PDF and its XML. */
export const embed = defineOperation<EmbedParams>({
  path: 'invoice/embed',
  name: 'embedInvoice',
  since: '0.1.0',
  summary: 'Embed an invoice XML in its PDF',
  title: 'Make a Factur-X PDF',
  icon: 'file-plus-2',
  order: 60,
  screen: 'invoices',
  keywords: ['zugferd', 'factur-x', 'xrechnung', 'hybrid', 'pdf/a-3', 'attach', 'e-invoice', 'e-rechnung'],
  notes: [
    'The result is PDF/A-3 with the XML as an associated file, under the name that its profile demands ' +
      '(`factur-x.xml`, `xrechnung.xml`), and XMP metadata that describe it with their extension schema. Everything ' +
      'else in the PDF stays: bookmarks, links, tags, other attachments. What the page shows is not compared here; ' +
      '`invoice/validate` does that.',
    'The XML decides the profile by its specification identifier (BT-24): Factur-X MINIMUM, BASIC WL, BASIC, ' +
      'EN 16931 and EXTENDED, and XRechnung, in CII. UBL and ZUGFeRD 1 are refused: convert them with ' +
      '`invoice/convert` first. The relationship is `Data` for MINIMUM and BASIC WL, and `Alternative` otherwise ' +
      'unless you choose another.',
    'A PDF that is not PDF/A-3 is converted the way `convert/pdf/pdfa` does it. An encrypted one loses its ' +
      'encryption, which PDF/A forbids. The result is checked with veraPDF where that is installed, and a result ' +
      'that breaks a rule is refused (`PDFA_IMPOSSIBLE`). `X-Tool-Report` has `profile`, `attachment`, ' +
      '`relationship`, `way`, `checked`, `replaced`, `supplements`, and how many actions and annotations PDF/A ' +
      'forbids and the conversion removed.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'invoice',
      label: 'XML of the invoice',
      description: 'The invoice as XML (CII)',
      kinds: ['xml'],
      requiredWhen: 'always',
    },
    {
      field: 'supplements',
      label: 'Supporting documents',
      description: 'Supporting documents to embed as well, such as time sheets; repeat the field for several',
      kinds: ['any'],
      many: true,
    },
  ],
  returns: { kind: 'pdf', name: '{base}_invoice', pages: 'same' },
  writes: 'rewrite',
  passwords,
  params: (joi) =>
    joi.object<EmbedParams, true>({
      profile: shown(
        joi
          .string()
          .valid(...embeddedProfiles)
          .empty('')
          .description('The profile that the XML must have; the call is refused if it has another one')
          .example('en16931'),
        {
          label: 'Expected profile',
          help: 'Leave empty to take the profile from the XML.',
          options: {
            minimum: 'MINIMUM',
            'basic-wl': 'BASIC WL',
            basic: 'BASIC',
            en16931: 'EN 16931',
            extended: 'EXTENDED',
            xrechnung: 'XRechnung',
          },
        },
      ),
      relationship: shown(
        joi
          .string()
          .valid(...invoiceRelationships)
          .empty('')
          .description(
            'Relationship of the XML to the PDF (AFRelationship). Default: Data for MINIMUM and BASIC WL, which ' +
              'allow no other, and Alternative for the rest',
          )
          .example('Alternative'),
        { label: 'Relationship', help: 'Leave empty for the one that the profile recommends.' },
      ),
      existing: shown(
        joi
          .string()
          .valid('refuse', 'replace')
          .empty('')
          .default('refuse')
          .description('What to do with a PDF that already contains an invoice')
          .example('replace'),
        { label: 'If there is an invoice already', options: { refuse: 'Refuse the PDF', replace: 'Replace it' } },
      ),
      password: passwordField(joi),
    }),
  needs: { services: [tokens.clock, tokens.pdfToPdfA, tokens.standardsValidator] },
  pipeline: false,
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'INVOICE_UNREADABLE',
    'INVOICE_NOT_EMBEDDABLE',
    'INVOICE_EXISTS',
    'ATTACHMENT_NAME_TAKEN',
    'PDFA_IMPOSSIBLE',
  ],
  examples: [
    {
      title: 'a page and its invoice',
      files: ['page.pdf'],
      parts: { invoice: 'invoice-cii.xml' },
      params: {},
      expect: { pages: [1], names: ['page_invoice.pdf'] },
    },
    {
      title: 'a PDF that has an invoice already',
      files: ['hybrid.pdf'],
      parts: { invoice: 'invoice-cii.xml' },
      params: {},
      expect: { refused: 'INVOICE_EXISTS' },
    },
    {
      title: 'an invoice in UBL',
      files: ['page.pdf'],
      parts: { invoice: 'invoice-ubl.xml' },
      params: {},
      expect: { refused: 'INVOICE_NOT_EMBEDDABLE' },
    },
    { title: 'no XML', files: ['page.pdf'], params: {}, expect: { refused: 'INPUT_INVALID' } },
    {
      title: 'an encrypted PDF',
      files: ['locked.pdf'],
      parts: { invoice: 'invoice-cii.xml' },
      params: { existing: 'replace', password: 'user' },
      expect: { pages: [1], names: ['locked_invoice.pdf'] },
    },
  ],
  run: async (file, { profile, relationship, existing, password }, ctx) => {
    const [{ planEmbedding }, { embedInPdf }, { checkWith }] = await Promise.all([
      import('../functions/hybrid/embedding-plan.js'),
      import('../functions/hybrid/embed-in-pdf.js'),
      import('@quire/document/standards/pdfa'),
    ]);
    const [xml] = ctx.parts('invoice');
    const plan = planEmbedding((await xml?.bytes()) ?? new Uint8Array(), {
      ...(profile === undefined ? {} : { profile }),
      ...(relationship === undefined ? {} : { relationship }),
    });
    const supplements = ctx
      .parts('supplements')
      .map(({ name, path, size, mediaType }) => ({ name, path: path(), size, mediaType }));
    const source = await openWith(password, file, ctx);
    const { path, facts, images } = await embedInPdf(
      source.path,
      { plan, xml: xml?.path() ?? '', supplements, existing },
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
    ctx.report({ ...facts });
    if (images !== undefined)
      ctx.warn(
        `Ghostscript could not draw the document: ${images.reason}. Its pages became images, so their text cannot be ` +
          'selected.',
      );
    return [await ctx.adopt(file, path)];
  },
});
