import { defineOperation, tokens } from '@quire/registry';
import { parseRecipients } from '../functions/parse-recipients.js';

interface SendEmailParams {
  to: string;
  subject: string;
  body: string;
}

/** Base64 adds a third, and many mail servers take no message above this size and that third. */
const MAX_BYTES = 25 * 1024 * 1024;

/** Mails a file (`docs/interface/general.yml`, send-email). */
export const sendEmail = defineOperation<SendEmailParams>({
  path: 'general/send-email',
  since: '0.2.0',
  summary: 'Mail a file as an attachment',
  notes:
    'Answers when the mail server has taken the message for every recipient. What it refuses is answered with ' +
    'its own words (502 `MAIL_REFUSED`); mail that is not set up (`mail.*`) is 503. The file is sent as it is, ' +
    'under its own name, up to 25 MB (the setting `operations` can raise that).',
  accepts: ['any'],
  // The file is not looked into: a locked or damaged one can be mailed as well.
  input: 'raw',
  files: 'each',
  returns: { kind: 'txt', name: 'answer' },
  effects: ['needsNetwork'],
  params: (joi) =>
    joi.object<SendEmailParams, true>({
      to: joi
        .string()
        .trim()
        .max(4000)
        .custom((value: string, helpers) => {
          const read = parseRecipients(value);
          return 'fault' in read ? helpers.error('any.invalid', { fault: read.fault }) : value;
        })
        .messages({ 'any.invalid': '{#label} {#fault}' })
        .required()
        .description('Mail address of the recipient; several with commas between them')
        .example('ann@example.org'),
      subject: joi
        .string()
        .trim()
        .empty('')
        .max(500)
        .pattern(/^[^\p{Cc}]*$/u, 'one line of text')
        .default('A file from Quire')
        .description('Subject, one line')
        .example('The report'),
      body: joi
        .string()
        .empty('')
        .max(100_000)
        .default('<p>The file that you were sent is attached.</p>')
        .description('Text of the mail, as HTML')
        .example('<p>Here it is.</p>'),
    }),
  needs: { services: [tokens.mailer] },
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
      title: 'no mail address',
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
