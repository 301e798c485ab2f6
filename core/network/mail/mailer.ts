import { OperationalError, type Logger, type MailMessage, type Mailer, type SettingsReader } from '@quire/registry';
import type { Transporter } from 'nodemailer';
import { authorities } from '../outbound/index.js';
import { transportOptions } from './transport-options.js';

/** Mail by SMTP as `mail.*` sets it up (`docs/interface/settings.yml`). The library is loaded by the first message. */
export function createMailer(settings: SettingsReader, log: Logger): Mailer & { close(): Promise<void> } {
  const mailer = new SmtpMailer(settings, log);
  if (mailer.usable && !settings.get<boolean>('mail.sslCheckServerIdentity'))
    log.warn(
      {},
      'mail.sslCheckServerIdentity is false: whoever has a valid certificate for any name can pose as the mail ' +
        'server and read the mails and mail.password',
    );
  return mailer;
}

/** Characters of a mail server's answer that are reported. */
const REASON_LENGTH = 200;

class SmtpMailer implements Mailer {
  #transport: Promise<Transporter> | undefined;

  constructor(
    private readonly settings: SettingsReader,
    private readonly log: Logger,
  ) {}

  get usable(): boolean {
    return (
      this.settings.get<boolean>('mail.enabled') && this.settings.get<string>('mail.host') !== '' && this.#sender !== ''
    );
  }

  get #sender(): string {
    return this.settings.get<string>('mail.from') || this.settings.get<string>('mail.username');
  }

  /** The domain of the sender. */
  get #domain(): string {
    return /@([A-Za-z0-9.-]+)/.exec(this.#sender)?.[1] ?? 'localhost';
  }

  async send(message: MailMessage, signal?: AbortSignal): Promise<void> {
    if (!this.usable)
      throw new OperationalError('SERVICE_NOT_SET_UP', {
        service: 'Mail',
        detail: this.settings.get<boolean>('mail.enabled') ? 'set mail.host and mail.from' : 'mail.enabled is false',
      });
    const transport = await (this.#transport ??= this.#open());
    const { to, subject, text, html, attachments = [], tellReason = false, messageId } = message;
    const recipients = typeof to === 'string' ? [to] : to;
    let sent: {
      readonly rejected?: readonly unknown[] | undefined;
      readonly rejectedErrors?: readonly SmtpError[] | undefined;
    };
    try {
      sent = await untilAborted(
        signal,
        transport.sendMail({
          from: this.#sender,
          to: recipients.map((address) => ({ name: '', address })),
          subject,
          ...(text === undefined ? {} : { text }),
          ...(html === undefined ? {} : { html }),
          ...(messageId === undefined ? {} : { messageId: `<${messageId}@${this.#domain}>` }),
          // Closes a connection on which the mail is stuck: there are few of them.
          ...(signal === undefined ? {} : { signal }),
          disableUrlAccess: true,
          disableFileAccess: attachments.every(({ path }) => path === undefined),
          attachments: attachments.map(({ name, mediaType, path, content }) => ({
            filename: name,
            contentType: mediaType,
            ...(path === undefined ? { content: Buffer.from(content ?? []) } : { path }),
          })),
        }),
      );
    } catch (error) {
      throw signal?.aborted === true
        ? new OperationalError('CANCELLED', {}, { cause: error })
        : this.#failure(error as SmtpError, tellReason);
    }
    const refused = sent.rejected?.length ?? 0;
    if (refused === 0) return;
    this.log.warn({ refused }, 'a mail was not taken for all of its recipients');
    const answers = tellReason
      ? `: ${(sent.rejectedErrors ?? []).map((error) => this.#reasonOf(error)).join('; ')}`
      : '';
    throw new OperationalError('MAIL_REFUSED', {
      detail: `not for ${refused} of ${recipients.length} recipients, the others get it${answers}`,
    });
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    (await this.#transport?.catch(() => undefined))?.close();
  }

  /**
   * A mail server's answer may repeat the address or the text: only the kind of failure is reported, unless the
   * mail is the caller's own.
   */
  #failure(error: SmtpError, tellReason: boolean): OperationalError {
    const { code, responseCode } = error;
    this.log.warn({ code, responseCode }, 'a mail could not be sent');
    const kind =
      `${typeof code === 'string' ? code : 'it failed'}` +
      `${typeof responseCode === 'number' ? ` (${responseCode})` : ''}`;
    // Its answers to a recipient or to the message are about these; all else is between it and this server.
    const refused = typeof responseCode === 'number' && (code === 'EENVELOPE' || code === 'EMESSAGE');
    if (!refused) return new OperationalError('REMOTE_UNREACHABLE', { remote: 'The mail server', detail: kind });
    // 4yz: the same mail may be accepted later (RFC 5321, 4.2.1), as with greylisting.
    const temporary = responseCode < 500;
    return new OperationalError('MAIL_REFUSED', { detail: tellReason ? this.#reasonOf(error) : kind, temporary });
  }

  /** The mail server's answer in one short line, without what this server logs in with. */
  #reasonOf({ response, responseCode }: SmtpError): string {
    const secrets = ['mail.password', 'mail.username']
      .map((key) => this.settings.get<string>(key))
      .filter((secret) => secret !== '');
    const line = secrets.reduce(
      (text, secret) => text.replaceAll(secret, '***'),
      (response ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim(),
    );
    return line === '' ? `it answered ${responseCode ?? 'nothing'}` : line.slice(0, REASON_LENGTH);
  }

  async #open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport(transportOptions(this.settings, await authorities(this.settings)));
  }
}

/** An error of the SMTP library. */
interface SmtpError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly response?: string;
}

/** Settles with the work, or rejects as soon as the signal says so: the connection then ends by its own time limits. */
async function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
    work.catch(() => undefined);
  }
}
