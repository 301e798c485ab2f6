import Joi from 'joi';

/** Options of a mailbox source. */
export interface MailboxOptions {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls';
  readonly username: string;
  readonly password: string;
  readonly mailbox: string;
  readonly names: readonly string[];
  readonly maxBytes: number;
  readonly after: 'flag' | 'move';
  readonly moveTo?: string;
}

const MEGABYTE = 1024 * 1024;

/** Schema of the options. */
export const mailboxOptions = Joi.object<MailboxOptions>({
  host: Joi.string()
    .max(253)
    .required()
    .description('Host of the IMAP server; one in a private network must be in outbound.allowed'),
  port: Joi.number()
    .port()
    .default((options: { readonly security?: string }) => (options.security === 'starttls' ? 143 : 993))
    .description('Port; by default 993, and 143 with starttls'),
  security: Joi.string()
    .valid('tls', 'starttls')
    .default('tls')
    .description('How the connection is encrypted: tls from its beginning, starttls before the login')
    .meta({ shown: { label: 'Encryption', help: '', options: { tls: 'TLS', starttls: 'STARTTLS' } } }),
  username: Joi.string()
    .max(320)
    .required()
    .description('User name')
    .meta({ shown: { label: 'User name', help: '' } }),
  password: Joi.string().max(1024).required().description('Password, or a password for this application'),
  mailbox: Joi.string()
    .max(255)
    .default('INBOX')
    .description('Mailbox that is read')
    .meta({ shown: { help: '' } }),
  names: Joi.array()
    .items(Joi.string().max(200))
    .max(50)
    .default([])
    .description('Names of attachments that are taken, such as *.pdf; all if empty')
    .meta({ shown: { label: 'Names of attachments', help: 'Such as *.pdf; all if empty.' } }),
  maxBytes: Joi.number()
    .integer()
    .min(1)
    .default(100 * MEGABYTE)
    .description('Largest attachment that is taken, in bytes')
    .meta({ shown: { label: 'Largest attachment in bytes', help: '', advanced: true } }),
  after: Joi.string()
    .valid('flag', 'move')
    .default('flag')
    .description('When all attachments of a message are delivered: flag marks it as read, move puts it into moveTo')
    .meta({
      shown: {
        label: 'After delivery',
        help: 'Once all attachments of a mail are delivered.',
        options: { flag: 'Mark the mail as read', move: 'Move the mail' },
      },
    }),
  moveTo: Joi.string()
    .max(255)
    .when('after', { is: 'move', then: Joi.required() })
    .description('Mailbox for messages whose attachments are delivered')
    .meta({ shown: { label: 'Move it to the mailbox', help: '' } }),
});
