import { readCms } from '@quire/document/signatures/cms';
import { InputError } from '@quire/registry/errors';
import PostalMime, { type Address, type Attachment } from 'postal-mime';
import {
  attachmentName,
  type Mail,
  type MailAddress,
  type MailAttachment,
  MAX_ATTACHMENTS,
  windowsText,
} from './mail.js';
import { readTnef } from './read-tnef.js';

/** Parts within parts; programs that forward mails reach about ten. */
const MAX_NESTING = 20;
const MAX_HEADERS = 8 * 1024 * 1024;
/** Lines that may be boundaries; each may begin a part, which costs more than its bytes. */
const MAX_BOUNDARIES = 50_000;

/** A MIME part. The parser has the tree of parts only in this undocumented member. */
interface Part {
  readonly childNodes: readonly Part[];
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  readonly contentType: { readonly multipart: string | false };
  readonly content: ArrayBuffer | null;
}

/**
 * Reads an internet mail (RFC 5322, MIME of RFC 2045 to 2049, 2231). Mails within are attachments, what is signed is
 * shown (RFC 8551, 3.5), and what Outlook wrapped (winmail.dat) is unwrapped. Throws a plain error with the reason for
 * what cannot be parsed, INPUT_TOO_COMPLEX for too many parts.
 */
export async function readEml(bytes: Uint8Array, wrapped = false): Promise<Mail> {
  const plain = withoutEnvelope(bytes);
  checkParts(plain);
  const parser = new PostalMime({
    forceRfc822Attachments: true,
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADERS,
  });
  const email = await parser.parse(plain);
  if (email.attachments.length > MAX_ATTACHMENTS)
    throw new InputError('INPUT_TOO_COMPLEX', { resource: 'attachments', limit: MAX_ATTACHMENTS });
  const locations = locationsOf((parser as unknown as { readonly root?: Part }).root);
  const mail: Mail = {
    subject: windowsText(email.subject ?? ''),
    from: flat(email.from === undefined ? [] : [email.from]),
    to: flat(email.to),
    cc: flat(email.cc),
    bcc: flat(email.bcc),
    ...(email.date === undefined ? {} : { date: dateOf(email.date) }),
    ...(email.html === undefined ? {} : { html: windowsText(email.html) }),
    ...(email.text === undefined ? {} : { text: windowsText(email.text) }),
    attachments: email.attachments.map((attachment, i) =>
      toAttachment(attachment, i + 1, locations.get(attachment.content)),
    ),
  };
  return unwrapOutlook(wrapped ? mail : await unwrapSigned(mail));
}

/** Mailboxes put a line in front of each mail (RFC 4155), and some programs a byte order mark. */
function withoutEnvelope(bytes: Uint8Array): Uint8Array {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (Buffer.from(bytes.subarray(start, start + 5)).toString('latin1') !== 'From ') return bytes.subarray(start);
  const end = bytes.indexOf(0x0a, start);
  return end < 0 ? bytes : bytes.subarray(end + 1);
}

function checkParts(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = buffer.indexOf('\n--'); at >= 0; at = buffer.indexOf('\n--', at + 3))
    if (++count > MAX_BOUNDARIES)
      throw new InputError('INPUT_TOO_COMPLEX', { resource: 'parts', limit: MAX_BOUNDARIES });
}

/** Content-Location of each part, by its content. */
function locationsOf(root: Part | undefined): Map<unknown, string> {
  const found = new Map<unknown, string>();
  const parts = root === undefined ? [] : [root];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const location = part.headers.find(({ key }) => key === 'content-location')?.value.replace(/\s+/g, '');
    if (location !== undefined && location !== '' && part.content !== null) found.set(part.content, location);
    parts.push(...part.childNodes);
  }
  return found;
}

function flat(addresses: readonly Address[] = []): MailAddress[] {
  return addresses.flatMap((each) =>
    each.group === undefined
      ? [{ name: windowsText(each.name), address: each.address }]
      : each.group.length === 0
        ? [{ name: each.name, address: '' }]
        : flat(each.group),
  );
}

function dateOf(text: string): Date | string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date;
}

function toAttachment(
  { filename, mimeType, content, contentId }: Attachment,
  n: number,
  location: string | undefined,
): MailAttachment {
  const id = contentId?.replace(/^<|>$/g, '');
  return {
    name: attachmentName(filename === null ? null : windowsText(filename), n, mimeType),
    mediaType: mimeType,
    content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    ...(id === undefined || id === '' ? {} : { contentId: id }),
    ...(location === undefined ? {} : { location }),
  };
}

/** A mail whose whole body is a CMS: signed ones are read, encrypted ones say so (RFC 8551, 3.3 and 3.5.2). */
export async function unwrapSigned(mail: Mail): Promise<Mail> {
  if ((mail.html ?? '').trim() !== '' || (mail.text ?? '').trim() !== '') return mail;
  const pgp = mail.attachments.some(({ mediaType }) => mediaType === 'application/pgp-encrypted');
  if (pgp) return { ...mail, sealed: 'This message is encrypted with OpenPGP; only its recipients can read it.' };
  const [only] = mail.attachments.filter(({ mediaType }) =>
    /^(?:application\/(?:x-)?pkcs7-mime|multipart\/signed)$/.test(mediaType),
  );
  if (only === undefined) return mail;
  try {
    const content = only.mediaType === 'multipart/signed' ? only.content : (await readCms(only.content)).content;
    if (content !== undefined) {
      const { html, text, attachments } = await readEml(content, true);
      return { ...mail, ...(html === undefined ? {} : { html }), ...(text === undefined ? {} : { text }), attachments };
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
  }
  return { ...mail, sealed: 'This message is encrypted or sealed with S/MIME; its content is in the attachment.' };
}

/** Outlook's own wrapping of attachments and formatted text (MS-OXTNEF) gives way to what is in it. */
function unwrapOutlook(mail: Mail): Mail {
  const wrapped = mail.attachments.findIndex(
    ({ mediaType, name }) => /^application\/(?:vnd\.)?ms-tnef$/.test(mediaType) || /^winmail\.dat$/i.test(name),
  );
  const found = wrapped < 0 ? undefined : readTnef(mail.attachments[wrapped]!.content);
  if (found === undefined) return mail;
  const { html, attachments } = found;
  return {
    ...mail,
    ...(mail.html === undefined && html !== undefined ? { html } : {}),
    attachments: [...mail.attachments.slice(0, wrapped), ...attachments, ...mail.attachments.slice(wrapped + 1)].slice(
      0,
      MAX_ATTACHMENTS,
    ),
  };
}
