import { OperationalError, type Logger, type SettingsReader } from '@quire/registry';
import type { Transporter } from 'nodemailer';
import { transportOptions } from './transport-options.js';

/** A message. Texts are UTF-8; addresses are single ones. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments?: readonly { readonly name: string; readonly mediaType: string; readonly path?: string; readonly content?: Uint8Array }[];
}

/** Sends mail. */
export interface Mailer {
  /** True when the settings say how; nothing was tried yet. */
  readonly usable: boolean;
  /**
   * Hands the message to the mail server; resolves when that has taken it. Rejects with SERVICE_NOT_SET_UP (503) when mail is off and
   * REMOTE_UNREACHABLE (502) when the mail server cannot be reached or refuses. Neither tells the address, the text or the password.
   */
  send(message: MailMessage): Promise<void>;
}

/** Mail by SMTP as `mail.*` sets it up (`contract/settings.yml`). The library is loaded by the first message. */
export function createMailer(settings: SettingsReader, log: Logger): Mailer {
  return new SmtpMailer(settings, log);
}

class SmtpMailer implements Mailer {
  #transport: Promise<Transporter> | undefined;

  constructor(private readonly settings: SettingsReader, private readonly log: Logger) {}

  get usable(): boolean {
    return this.settings.get<boolean>('mail.enabled') && this.settings.get<string>('mail.host') !== '' && this.#sender !== '';
  }

  get #sender(): string {
    return this.settings.get<string>('mail.from') || this.settings.get<string>('mail.username');
  }

  async send({ to, subject, text, attachments = [] }: MailMessage): Promise<void> {
    if (!this.usable) throw new OperationalError('SERVICE_NOT_SET_UP', { service: 'Mail', detail: this.settings.get<boolean>('mail.enabled') ? 'set mail.host and mail.from' : 'mail.enabled is false' });
    const transport = await (this.#transport ??= this.#open());
    try {
      await transport.sendMail({
        from: this.#sender, to: { name: '', address: to }, subject, text, disableUrlAccess: true, disableFileAccess: attachments.every(({ path }) => path === undefined),
        attachments: attachments.map(({ name, mediaType, path, content }) => ({ filename: name, contentType: mediaType, ...(path === undefined ? { content: Buffer.from(content ?? []) } : { path }) })),
      });
    } catch (error) {
      // What a mail server answers may repeat the address or the text: only the kind of the failure is told.
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      const detail = `${typeof code === 'string' ? code : 'it failed'}${typeof responseCode === 'number' ? ` (${responseCode})` : ''}`;
      this.log.warn({ code, responseCode }, 'a mail could not be sent');
      throw new OperationalError('REMOTE_UNREACHABLE', { remote: 'The mail server', detail });
    }
  }

  async #open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport(transportOptions(this.settings));
  }
}
