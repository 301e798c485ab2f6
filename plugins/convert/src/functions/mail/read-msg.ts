import { InputError } from '@quire/registry/errors';
import { type CompoundStorage, readCompoundTree } from '../office/compound-file.js';
import { attachmentName, type Mail, type MailAddress, type MailAttachment, MAX_ATTACHMENTS } from './mail.js';
import { isMessage, Properties, storageFile } from './message-storage.js';
import { decodeOutlookHtml, readOutlookRtf, readRtfWords } from './outlook-body.js';
import { unwrapSigned } from './read-eml.js';

/** Identifiers of properties (MS-OXPROPS). */
const ids = {
  subject: 0x0037,
  submitted: 0x0039,
  representing: 0x0042,
  headers: 0x007d,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  delivered: 0x0e06,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  address: 0x3003,
  created: 0x3007,
  data: 0x3701,
  shortName: 0x3704,
  longName: 0x3707,
  mediaType: 0x370e,
  contentId: 0x3712,
  location: 0x3713,
  smtpAddress: 0x39fe,
  internetCodePage: 0x3fde,
  messageCodePage: 0x3ffd,
  senderSmtp: 0x5d01,
  representingSmtp: 0x5d02,
} as const;

/**
 * Reads an Outlook message (MS-OXMSG). Throws an Error with the reason for files that are not messages,
 * INPUT_TOO_COMPLEX for too many attachments.
 */
export async function readMsg(bytes: Uint8Array): Promise<Mail> {
  const root = readCompoundTree(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (root === undefined) throw new Error('it is not a compound file');
  if (!isMessage(root)) throw new Error('it has no properties of a message');
  const message = new Properties(root, 'message');
  message.codePage = message.number(ids.messageCodePage) ?? message.number(ids.internetCodePage) ?? 1252;
  const parts = (kind: string): Properties[] =>
    root.storages
      .filter(({ name }) => name.startsWith(`__${kind}_version1.0_`))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((storage) => new Properties(storage, 'part', message.codePage));
  const attachments = parts('attach');
  if (attachments.length > MAX_ATTACHMENTS)
    throw new InputError('INPUT_TOO_COMPLEX', { resource: 'attachments', limit: MAX_ATTACHMENTS });
  const recipients = parts('recip');
  const date = dateOf(message);
  const kind = (type: number): MailAddress[] =>
    recipients
      .filter((each) => (each.number(ids.recipientType) ?? 1) === type)
      .map((each) => address(each.text(ids.displayName), [each.text(ids.smtpAddress), each.text(ids.address)]));
  const sender = address(message.text(ids.senderName) ?? message.text(ids.representing), [
    message.text(ids.senderSmtp),
    message.text(ids.representingSmtp),
    message.text(ids.senderAddress),
  ]);
  return unwrapSigned({
    subject: message.text(ids.subject) ?? '',
    from: sender.name === '' && sender.address === '' ? [] : [sender],
    to: kind(1),
    cc: kind(2),
    bcc: kind(3),
    ...(date === undefined ? {} : { date }),
    ...(await bodyOf(message)),
    attachments: readAttachments(attachments, root, bytes.length),
  });
}

/** Streams may lie over each other, so that a small file says that it holds endless data. */
function readAttachments(parts: readonly Properties[], root: CompoundStorage, size: number): MailAttachment[] {
  let left = size * 2;
  return parts.map((part, i) => {
    const attachment = toAttachment(part, root, i + 1);
    if ((left -= attachment.content.length) < 0) throw new Error('its attachments hold more than the file does');
    return attachment;
  });
}

/** Of several addresses the one for mail; those of Exchange say nothing to people. */
function address(name = '', addresses: readonly (string | undefined)[]): MailAddress {
  const found = addresses.find((each) => each?.includes('@') === true) ?? '';
  return { name: name === found ? '' : name, address: found };
}

function dateOf(message: Properties): Date | undefined {
  const header = new Date(/^date:[ \t]*([^\r\n]+)/im.exec(message.text(ids.headers) ?? '')?.[1] ?? Number.NaN);
  return (
    message.time(ids.submitted) ??
    (Number.isNaN(header.getTime()) ? undefined : header) ??
    message.time(ids.delivered) ??
    message.time(ids.created)
  );
}

async function bodyOf(message: Properties): Promise<Pick<Mail, 'html' | 'text'>> {
  const plain = message.text(ids.body);
  const text = plain === undefined ? {} : { text: plain };
  const html = message.binary(ids.html);
  if (html !== undefined) return { html: decodeOutlookHtml(html, message.number(ids.internetCodePage)), ...text };
  const wide = message.text(ids.html);
  if (wide !== undefined) return { html: wide, ...text };
  const rtf = message.binary(ids.rtf);
  const within = rtf === undefined ? undefined : readOutlookRtf(rtf);
  if (within !== undefined || plain !== undefined || rtf === undefined) return { ...text, ...within };
  const words = await readRtfWords(rtf);
  return words === undefined ? {} : { text: words };
}

function toAttachment(part: Properties, root: CompoundStorage, n: number): MailAttachment {
  const object = part.object(ids.data);
  const message = object !== undefined && isMessage(object);
  const mediaType = message
    ? 'application/vnd.ms-outlook'
    : part.text(ids.mediaType)?.toLowerCase().split(';', 1)[0]?.trim() || 'application/octet-stream';
  const given = [part.text(ids.longName), part.text(ids.shortName), part.text(ids.displayName)].find(
    (each) => each !== undefined && each.trim() !== '',
  );
  const name = attachmentName(given, n, mediaType);
  const [id, location] = [part.text(ids.contentId)?.replace(/^<|>$/g, ''), part.text(ids.location)];
  return {
    name: message && !/\.msg$/i.test(name) ? `${name}.msg` : name,
    mediaType,
    content: object === undefined ? (part.binary(ids.data) ?? new Uint8Array(0)) : storageFile(object, root),
    ...(id === undefined || id === '' ? {} : { contentId: id }),
    ...(location === undefined || location === '' ? {} : { location }),
  };
}
