import { booleanField, defineOperation, integerField, shown, tokens } from '@quire/registry';

interface EmlPdfParams {
  includeAttachments: boolean;
  maxAttachmentSizeMB: number;
  downloadHtml: boolean;
  includeAllRecipients: boolean;
}

export const emlPdf = defineOperation<EmlPdfParams>({
  path: 'convert/eml/pdf',
  name: 'convertEmlToPdf',
  since: '0.2.0',
  summary: 'Convert an email to PDF or HTML',
  title: 'Convert email to PDF',
  icon: 'mail',
  order: 80,
  keywords: ['mail', 'msg', 'outlook', 'message'],
  notes:
    'Internet mail (`.eml`) and Outlook messages (`.msg`) are recognised by their content. The page shows ' +
    'subject, sender, recipients, the date in UTC, the body (HTML preferred) and a list of attachments; ' +
    'attached emails are attachments. Images inside the email are shown; external images are never loaded, ' +
    'their description is shown instead. Content signed with S/MIME or wrapped in `winmail.dat` is shown; ' +
    'encrypted content is reported as encrypted. Without `includeAllRecipients`, CC and BCC are left out. For ' +
    'a PDF, `X-Tool-Report` contains `attachments`, `embedded` and `simplified` (the formatted body could not ' +
    'be printed, so its text was).',
  accepts: ['eml', 'msg'],
  files: 'each',
  returns: { kind: { by: 'downloadHtml', map: { false: 'pdf', true: 'html' } }, name: '{input}', pages: 'any' },
  needs: { programs: ['chromium'], services: [tokens.htmlToPdf, tokens.clock] },
  limits: { timeoutMs: 120_000, maxBytes: 256 * 1024 * 1024 },
  params: (joi) =>
    joi.object<EmlPdfParams, true>({
      includeAttachments: shown(
        booleanField(
          joi,
          'Embeds the attachments in the PDF, which opens with its attachment list; each entry of the printed ' +
            'list gets an annotation',
        ),
        { label: 'Embed the attachments', help: 'The PDF opens with the list of its attachments.' },
      ),
      maxAttachmentSizeMB: shown(
        integerField(joi, 'Attachments larger than this (in MiB) are listed but not embedded')
          .min(1)
          .max(100)
          .default(10),
        {
          label: 'Largest attachment',
          help: 'Larger ones are listed but not embedded.',
          unit: 'MB',
          when: { includeAttachments: true },
        },
      ),
      downloadHtml: shown(booleanField(joi, 'Returns the page as a self-contained HTML file instead of a PDF'), {
        label: 'Return HTML instead of PDF',
        help: '',
      }),
      includeAllRecipients: shown(booleanField(joi, 'Also shows CC and BCC', true), {
        label: 'Show CC and BCC',
        help: '',
      }),
    }),
  errors: ['MAIL_UNREADABLE', 'INPUT_TOO_COMPLEX'],
  examples: [
    {
      title: 'an email with an image and attachments',
      files: ['report.eml'],
      params: { includeAttachments: true },
      expect: { pages: [1], names: ['report.eml.pdf'] },
    },
    {
      title: 'as HTML',
      files: ['report.eml'],
      params: { downloadHtml: true, includeAllRecipients: false },
      expect: { names: ['report.eml.html'] },
    },
    {
      title: 'an Outlook message',
      files: ['outlook.msg'],
      params: {},
      expect: { pages: [1], names: ['outlook.msg.pdf'] },
    },
    {
      title: 'refuses a file that is not an email',
      files: ['no-mail.eml'],
      params: {},
      expect: { refused: 'MAIL_UNREADABLE' },
    },
  ],
  run: async (file, params, ctx) => {
    const { mailToHtml, mailToPdf } = await import('../../functions/mail/print-mail.js');
    const allRecipients = params.includeAllRecipients;
    if (params.downloadHtml)
      return [await ctx.output(file, Buffer.from(await mailToHtml(await file.bytes(), { allRecipients })))];
    const { path, ...facts } = await mailToPdf(
      await file.bytes(),
      { allRecipients, embedUpTo: params.includeAttachments ? params.maxAttachmentSizeMB * 1024 * 1024 : 0 },
      {
        folder: await ctx.folder(),
        now: ctx.use(tokens.clock).now(),
        signal: ctx.signal,
        print: (page, output) => ctx.use(tokens.htmlToPdf).print(page, output, {}, ctx.signal),
      },
    );
    ctx.report(facts);
    return [await ctx.adopt(file, path)];
  },
});
