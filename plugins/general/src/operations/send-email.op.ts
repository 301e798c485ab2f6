import { defineOperation, shown, tokens } from '@quire/registry';
import { parseRecipients } from '../functions/parse-recipients.js';

interface SendEmailParams {
  to: string;
  subject: string;
  body: string;
}

/** Base64 adds a third; many mail servers reject larger messages. */
const MAX_BYTES = 25 * 1024 * 1024;

/** Sends a file by e-mail (`docs/interface/general.yml`, send-email). */
export const sendEmail = defineOperation<SendEmailParams>({
  path: 'general/send-email',
  since: '0.2.0',
  summary: 'Send a file by email',
  title: 'Send by email',
  icon: 'send',
  order: 200,
  keywords: ['e-mail', 'mail', 'smtp', 'send file', 'message'],
  notes:
    'Returns once the mail server has accepted the message for every recipient. If it refuses the message, its ' +
    'own words are returned (502 `MAIL_REFUSED`); if mail is not set up (`mail.*`), the call fails with 503. ' +
    'The file is attached unchanged, under its own name, up to 25 MB (the setting `operations` can raise that).',
  accepts: ['any'],
  // The file is not parsed: a locked or damaged one can be sent as well.
  input: 'raw',
  files: 'each',
  returns: { kind: 'txt', name: 'answer' },
  effects: ['needsNetwork'],
  params: (joi) =>
    joi.object<SendEmailParams, true>({
      to: shown(
        joi
          .string()
          .trim()
          .max(4000)
          .custom((value: string, helpers) => {
            const read = parseRecipients(value);
            return 'fault' in read ? helpers.error('any.invalid', { fault: read.fault }) : value;
          })
          .messages({ 'any.invalid': '{#label} {#fault}' })
          .required()
          .description('Email address of the recipient; separate several by commas')
          .example('ann@example.org'),
        { label: 'Recipients', help: 'Email addresses, separated by commas.' },
      ),
      subject: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(500)
          .pattern(/^[^\p{Cc}]*$/u, 'one line of text')
          .default('A file from Quire')
          .description('Subject, one line')
          .example('The report'),
        { help: '' },
      ),
      body: shown(
        joi
          .string()
          .empty('')
          .max(100_000)
          .default('<p>The file that you were sent is attached.</p>')
          .description('Body of the message, as HTML')
          .example('<p>Here it is.</p>'),
        { label: 'Message', help: 'As HTML.', widget: 'multiline' },
      ),
    }),
  needs: { services: [tokens.mailer], settings: ['mail.enabled', 'mail.host', 'mail.from'] },
  runsIn: 'host',
  limits: { maxBytes: MAX_BYTES, timeoutMs: 120_000 },
  pipeline: false,
  errors: [],
  examples: [
    {
      title: 'to one recipient',
      files: ['two-pages.pdf'],
      params: { to: 'ann@example.org', subject: 'The report', body: '<p>Here it is.</p>' },
      expect: { names: ['answer.txt'] },
    },
    {
      title: 'not an email address',
      files: ['two-pages.pdf'],
      params: { to: 'ann at example' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { to, subject, body }, ctx) => {
    const read = parseRecipients(to);
    await ctx.use(tokens.mailer).send(
      {
        to: 'addresses' in read ? read.addresses : [],
        subject,
        html: body,
        tellReason: true,
        attachments: [{ name: file.name, mediaType: file.mediaType, path: file.path() }],
      },
      ctx.signal,
    );
    return [await ctx.output(file, new TextEncoder().encode('Email sent successfully'))];
  },
});
