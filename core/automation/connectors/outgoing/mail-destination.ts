import Joi from 'joi';
import { InputError, isQuireError, kindOfName } from '@quire/registry';
import { isMailAddress } from '../../../accounts/index.js';
import type { InvoiceTexts } from '../../../operations/runner/index.js';
import type { ConnectorDeps } from '../deps.js';
import { invalid, reaching, unreachable } from '../faults.js';
import type {
  ConnectorContext,
  ConnectorOptions,
  DeliveredFile,
  Delivery,
  DestinationKind,
  OpenDestination,
} from '../model.js';
import { idOf, readNote } from '../note.js';
import { readOptions } from '../read-options.js';
import { fillText, namesInvoice, unknownPlaceholder } from './placeholders.js';

interface MailOptions {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly maxBytes: number;
}

/** Remembered when the mail server has accepted the mail. */
interface Note {
  readonly accepted: true;
}

const note = Joi.object<Note>({ accepted: Joi.boolean().valid(true).required() });
const MEGABYTE = 1024 * 1024;

const options = Joi.object<MailOptions>({
  to: Joi.array()
    .items(Joi.string().max(320))
    .min(1)
    .max(20)
    .required()
    .description('Mail addresses of the recipients')
    .meta({ shown: { label: 'Recipients', help: '' } }),
  subject: Joi.string()
    .max(200)
    .default('{{file.name}}')
    .description(
      'Subject; {{automation}}, {{file.name}}, {{input}}, {{date}}, {{time}}, {{invoice.number}} and others ' +
        'are filled in',
    ),
  text: Joi.string()
    .allow('')
    .max(10_000)
    .default('{{file.name}} is attached. It was sent by the automation {{automation}}.')
    .description('Text of the mail, with the same placeholders')
    .meta({ shown: { widget: 'multiline' } }),
  maxBytes: Joi.number()
    .integer()
    .min(1)
    .max(100 * MEGABYTE)
    .default(20 * MEGABYTE)
    .description('Largest file that is sent, in bytes; mail servers refuse large mails')
    .meta({ shown: { label: 'Largest file in bytes', help: 'Mail servers refuse large mails.', advanced: true } }),
});

/** Sends each result as the attachment of a mail, with the mail settings of the server. */
export function mailDestination(deps: Pick<ConnectorDeps, 'mailer' | 'clock' | 'invoiceOf'>): DestinationKind {
  const { mailer } = deps;
  const read = (given: ConnectorOptions): MailOptions => readOptions('DESTINATION', options, given);
  return {
    type: 'mail',
    title: 'Mail',
    help: 'Sends each result as an attachment of a mail.',
    icon: 'mail',
    options,
    secrets: [],
    async check(given) {
      const { to, subject, text } = read(given);
      for (const [index, address] of to.entries())
        if (!isMailAddress(address)) throw invalid('DESTINATION', `to/${index}`, 'is not a mail address');
      for (const [option, value] of Object.entries({ subject, text })) {
        const unknown = unknownPlaceholder(value);
        if (unknown !== undefined) throw invalid('DESTINATION', option, unknown);
      }
      if (!mailer.usable)
        throw invalid('DESTINATION', '', 'this server sends no mail; set mail.enabled, mail.host and mail.from');
    },
    open: async (given, context) => new MailDestination(deps, read(given), context),
  };
}

/**
 * No protocol sends a mail exactly once. The Message-ID follows from the delivery, so that mail programs show a mail
 * that was sent twice once; and that it was accepted is remembered at once, so that this is rare.
 */
class MailDestination implements OpenDestination {
  constructor(
    private readonly deps: Pick<ConnectorDeps, 'mailer' | 'clock' | 'invoiceOf'>,
    private readonly options: MailOptions,
    private readonly context: ConnectorContext,
  ) {}

  async deliver(file: DeliveredFile, delivery: Delivery): Promise<{ readonly place: string }> {
    const { to, maxBytes, subject, text } = this.options;
    const place = `mail to ${to.join(', ')}`;
    if (readNote(delivery, note) !== undefined) return { place };
    if (file.size > maxBytes) throw new InputError('INPUT_TOO_LARGE', { limit: maxBytes });
    const facts = {
      file: file.name,
      at: this.deps.clock.now(),
      automation: delivery.automation,
      input: delivery.input,
      ...(namesInvoice(subject + text) ? { invoice: await this.#invoiceOf(file) } : {}),
    };
    try {
      await reaching('DESTINATION', () =>
        this.deps.mailer.send(
          {
            to,
            // A line break in a name of a file must not begin another header.
            subject: fillText(subject, facts).replaceAll(/[\p{Cc}\s]+/gu, ' '),
            text: fillText(text, facts),
            attachments: [{ name: file.name, mediaType: file.mediaType, path: file.path }],
            tellReason: true,
            messageId: idOf(delivery),
          },
          this.context.signal,
        ),
      );
    } catch (error) {
      if (isQuireError(error) && error.code === 'MAIL_REFUSED' && error.data['temporary'] === true)
        throw unreachable('DESTINATION', error.message.replace(/\.$/, ''), error);
      throw error;
    }
    await delivery.remember(JSON.stringify({ accepted: true }));
    return { place };
  }

  /** Throws INVOICE_NONE, as the names of results do: a mail with holes in it would be worse. */
  #invoiceOf({ name, path, size }: DeliveredFile): Promise<InvoiceTexts> {
    const kind = kindOfName(name);
    if (kind !== 'pdf' && kind !== 'xml')
      throw new InputError('INVOICE_NONE', { field: 'file', detail: 'it is neither a PDF nor XML' });
    return this.deps.invoiceOf({ name, kind, path, size }, this.context.signal);
  }

  async close(): Promise<void> {}
}
