import { escapeXml } from '@quire/document/file/xml';
import { BODY_CLASS, cleanMail } from './clean-mail.js';
import type { Mail, MailAddress, MailAttachment } from './mail.js';
import { textToHtml } from './mail-text.js';

/** How a mail is shown. */
export interface MailPageOptions {
  /** False leaves out who got copies. */
  readonly allRecipients: boolean;
  /** True puts a link with this scheme, `attachment:<index>`, at the entry of each file that `embeds` names. */
  readonly embeds: (attachment: MailAttachment) => boolean;
  /** True shows the text alone, where the formatted body cannot be printed. */
  readonly plain?: boolean;
}

/** A page, and the files that its list names. */
export interface MailPage {
  readonly html: string;
  readonly listed: readonly MailAttachment[];
}

/** Names that are printed of a list; nobody reads the others. */
const MAX_ADDRESSES = 1000;

/** Where links at the entries of embedded files lead until annotations take their place. */
export const ATTACHMENT_LINK = 'attachment:';

const style = `@page { size: A4; margin: 15mm; }
body { margin: 0; color: #111; background: #fff;
font: 11pt/1.4 "Noto Sans", "Liberation Sans", Arial, Helvetica, sans-serif; overflow-wrap: anywhere; }
.mail-subject { font-size: 16pt; line-height: 1.25; margin: 0 0 8pt; }
.mail-head { margin: 0 0 14pt; padding: 0 0 8pt; border-bottom: 1px solid #bbb; font-size: 10pt; }
.mail-head div { display: flex; margin: 1pt 0; }
.mail-head dt { flex: 0 0 52pt; color: #666; }
.mail-head dd { flex: 1; margin: 0; }
.mail-text { white-space: pre-wrap; }
.mail-quote { margin: 2pt 0; padding: 0 0 0 8pt; border-left: 2px solid #9ab; color: #456; }
.mail-absent { display: inline-block; padding: 1pt 4pt; border: 1px dashed #aaa; color: #666; font-size: 9pt; }
.mail-sealed { padding: 6pt 8pt; border: 1px solid #bbb; color: #444; }
.mail-files { margin: 18pt 0 0; padding: 8pt 0 0; border-top: 1px solid #bbb; font-size: 10pt; }
.mail-files h2 { font-size: 11pt; margin: 0 0 4pt; }
.mail-files ul { list-style: none; margin: 0; padding: 0; }
.mail-files li { margin: 2pt 0; break-inside: avoid; }
.mail-files a { color: #036; }
.mail-size { color: #666; }
.${BODY_CLASS} { overflow: hidden; }
.${BODY_CLASS} img { max-width: 100%; }
.${BODY_CLASS} pre { white-space: pre-wrap; }
.${BODY_CLASS} blockquote { margin: 4pt 0 4pt 4pt; padding-left: 8pt; border-left: 2px solid #9ab; }
@media screen { body { max-width: 800px; margin: 20px auto; padding: 0 16px; } }`;

/** The page of a mail: complete in itself, without scripts, and with nothing to fetch. */
export function mailPage(mail: Mail, { allRecipients, embeds, plain = false }: MailPageOptions): MailPage {
  const formatted =
    plain || mail.html === undefined || mail.html.trim() === '' ? undefined : cleanMail(mail.html, mail.attachments);
  const listed = mail.attachments.filter((attachment) => formatted?.shown.has(attachment) !== true);
  const body =
    formatted === undefined ? textBody(mail) : `<div class="${BODY_CLASS}" dir="auto">${formatted.html}</div>`;
  const head = [
    ['From', addresses(mail.from)],
    ['To', addresses(mail.to)],
    ...(allRecipients
      ? [
          ['CC', addresses(mail.cc)],
          ['BCC', addresses(mail.bcc)],
        ]
      : []),
    ['Date', mail.date === undefined ? '' : escapeXml(mailDate(mail.date))],
  ]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<div><dt>${name}:</dt><dd>${value}</dd></div>`);
  const subject = mail.subject.trim() === '' ? '(no subject)' : mail.subject.trim();
  const html = [
    '<!doctype html>',
    '<html>',
    '<head>',
    '<meta charset="utf-8">',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; style-src ' +
      "'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'\">",
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeXml(subject)}</title>`,
    `<style>${style}\n${formatted?.style ?? ''}</style>`,
    '</head>',
    '<body>',
    `<h1 class="mail-subject" dir="auto">${escapeXml(subject)}</h1>`,
    `<dl class="mail-head">${head.join('\n')}</dl>`,
    body,
    fileList(listed, embeds),
    '</body>',
    '</html>',
    '',
  ].join('\n');
  return { html, listed };
}

function textBody({ text, html, sealed }: Mail): string {
  if (sealed !== undefined) return `<p class="mail-sealed">${escapeXml(sealed)}</p>`;
  const words =
    text ??
    (html === undefined
      ? ''
      : cleanMail(html, [])
          .html.replace(/<br\b[^>]*>|<\/(?:p|div|tr|li|h[1-6])>/gi, '\n')
          .replace(/<[^>]*>/g, '')
          .replace(/&nbsp;/g, ' ')
          .replace(/&lt;/g, '<')
          .replace(/&gt;/g, '>')
          .replace(/&quot;/g, '"')
          .replace(/&amp;/g, '&'));
  return words.trim() === '' ? '' : textToHtml(words);
}

/** A date as the contract prints it, in UTC: `Tue, Jan 6, 2026 at 3:04 PM UTC`. */
export function mailDate(date: Date | string): string {
  if (typeof date === 'string') return date;
  const parts = new Map<string, string>(
    new Intl.DateTimeFormat('en-US', {
      timeZone: 'UTC',
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      hour12: true,
    })
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: string): string => parts.get(type) ?? '';
  return (
    `${part('weekday')}, ${part('month')} ${part('day')}, ${part('year')} at ${part('hour')}:${part('minute')} ` +
    `${part('dayPeriod')} UTC`
  );
}

function addresses(list: readonly MailAddress[]): string {
  const shown = list.slice(0, MAX_ADDRESSES).map(({ name, address }) => {
    if (address === '') return name === '' ? '' : `<bdi>${escapeXml(name)}</bdi>`;
    const link =
      `<a href="mailto:${escapeXml(encodeURI(address.replace(/\p{Surrogate}/gu, '\ufffd')))}">` +
      `${escapeXml(address)}</a>`;
    return name === '' ? link : `<bdi>${escapeXml(name)}</bdi> &lt;${link}&gt;`;
  });
  return (
    shown.filter((each) => each !== '').join(', ') +
    (list.length > MAX_ADDRESSES ? ` and ${list.length - MAX_ADDRESSES} more` : '')
  );
}

function fileList(listed: readonly MailAttachment[], embeds: (attachment: MailAttachment) => boolean): string {
  if (listed.length === 0) return '';
  const entries = listed.map((attachment, i) => {
    const name = escapeXml(attachment.name);
    return (
      `<li>${embeds(attachment) ? `<a href="${ATTACHMENT_LINK}${i}">${name}</a>` : name} <span ` +
      `class="mail-size">(${fileSize(attachment.content.length)})</span></li>`
    );
  });
  return `<section class="mail-files"><h2>Attachments (${listed.length})</h2><ul>${entries.join('\n')}</ul></section>`;
}

/** A size in units of 1024 bytes. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(3, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${['B', 'KB', 'MB', 'GB'][power]}`;
}
