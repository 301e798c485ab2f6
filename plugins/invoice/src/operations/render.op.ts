import { defineOperation, shown, tokens } from '@quire/registry';
import { languages, type Language } from '@quire/document/invoices/labels';
import { openWith, passwordField, passwords } from './invoice-password.js';

interface RenderParams {
  output: 'html' | 'pdf';
  language: Language;
  password: string;
}

/** Shows an electronic invoice to people. */
export const render = defineOperation<RenderParams>({
  path: 'invoice/render',
  name: 'showInvoice',
  since: '0.1.0',
  summary: 'Show an electronic invoice as a readable page',
  title: 'Show an invoice',
  icon: 'receipt-text',
  order: 40,
  screen: 'invoices',
  keywords: ['zugferd', 'factur-x', 'xrechnung', 'ubl', 'cii', 'view', 'print', 'visualise', 'e-invoice', 'e-rechnung'],
  notes: [
    'Accepts a PDF with an embedded invoice or the XML itself: Factur-X, ZUGFeRD 1 and 2, XRechnung, Peppol BIS, and ' +
      'other invoices in CII and UBL. The page is made from the XML alone, never from what a PDF shows.',
    'Every business term of the invoice is shown: parties, references, lines with sub lines, allowances, VAT, ' +
      'totals, payment, names and sizes of attachments. Nothing is computed, and nothing is added but labels and ' +
      'the meaning of codes. Amounts keep their digits. What the model of EN 16931 has no place for is listed at ' +
      'the end with its path in the XML.',
    '`html` is one file without scripts, links or anything from elsewhere. `pdf` is PDF/A-3a: tagged, with all fonts ' +
      'embedded; characters that no built-in font has become question marks, which is reported as a warning.',
  ].join('\n\n'),
  accepts: ['pdf', 'xml'],
  files: 'each',
  returns: { kind: { by: 'output', map: { html: 'html', pdf: 'pdf' } }, name: '{base}_invoice', pages: 'any' },
  writes: 'assemble',
  passwords,
  params: (joi) =>
    joi.object<RenderParams, true>({
      output: shown(
        joi
          .string()
          .empty('')
          .valid('html', 'pdf')
          .default('html')
          .description('A page for browsers, or a PDF/A')
          .example('pdf'),
        { label: 'Format', help: '', options: { html: 'HTML page', pdf: 'PDF/A' } },
      ),
      language: shown(
        joi
          .string()
          .empty('')
          .valid(...languages)
          .default('en')
          .description('Language of labels, dates and amounts; the texts of the invoice stay as they are')
          .example('de'),
        { label: 'Language', help: '', options: { de: 'German', en: 'English', fr: 'French' } },
      ),
      password: passwordField(joi),
    }),
  needs: { services: [tokens.clock] },
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
      title: 'an XML invoice as a page in German',
      files: ['invoice-cii.xml'],
      params: { language: 'de' },
      expect: { names: ['invoice-cii_invoice.html'] },
    },
    {
      title: 'a hybrid invoice as PDF/A',
      files: ['hybrid.pdf'],
      params: { output: 'pdf', language: 'fr' },
      expect: { names: ['hybrid_invoice.pdf'] },
    },
    { title: 'a PDF without an invoice', files: ['page.pdf'], params: {}, expect: { refused: 'INVOICE_NONE' } },
    {
      title: 'an encrypted invoice',
      files: ['locked.pdf'],
      params: { password: 'user' },
      expect: { names: ['locked_invoice.html'] },
    },
  ],
  run: async (file, { output, language, password }, ctx) => {
    const [{ readInvoiceFile }, { shownOf }] = await Promise.all([
      import('@quire/document/structure/invoices/reading'),
      import('../functions/view/view-invoice.js'),
    ]);
    const { path } = await openWith(password, file, ctx);
    const { read } = await readInvoiceFile(path, file.kind);
    const invoice = shownOf(read);
    if (output === 'html') {
      const { renderHtml } = await import('../functions/render-html.js');
      return [await ctx.output(file, Buffer.from(renderHtml(invoice, language)))];
    }
    const { renderPdf } = await import('../functions/render-pdf.js');
    const { bytes, replaced } = await renderPdf(invoice, language, {
      now: ctx.use(tokens.clock).now(),
      signal: ctx.signal,
    });
    if (replaced.length > 0) ctx.warn(replacedWarning(replaced));
    return [await ctx.output(file, bytes)];
  },
});

/** Names the characters, at most some of them. */
function replacedWarning(replaced: readonly string[]): string {
  const listed = replaced
    .slice(0, 8)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  const more = replaced.length > listed.length ? ` and ${replaced.length - listed.length} more` : '';
  return `The PDF shows question marks for characters that no built-in font has: ${listed.join(', ')}${more}.`;
}
