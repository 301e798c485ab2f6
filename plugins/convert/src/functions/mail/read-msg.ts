import { InputError } from '@quire/registry/errors';
import msgReader from '@kenjiuno/msgreader';
import { attachmentName, type Mail, type MailAddress, type MailAttachment, MAX_ATTACHMENTS, windowsText } from './mail.js';
import { decodeOutlookHtml, readOutlookRtf } from './outlook-body.js';
import { unwrapSigned } from './read-eml.js';

// The package is CommonJS, whose default export is a member here.
const { default: MsgReader } = msgReader;
type Fields = ReturnType<InstanceType<typeof MsgReader>['getFileData']>;

/** PidTagAttachContentLocation (MS-OXPROPS), in Unicode and in the code page of the message; the reader has no name for it. */
const LOCATION = new Set([0x3713001f, 0x3713001e]);

/** Reads a message of Outlook (MS-OXMSG). Throws a plain error with the reason for what is none, INPUT_TOO_COMPLEX for too many attachments. */
export async function readMsg(bytes: Uint8Array): Promise<Mail> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const locations = new Map<object, string>();
  const open = (ansiEncoding?: string) => {
    const reader = new MsgReader(view);
    reader.parserConfig = {
      ...(ansiEncoding === undefined ? {} : { ansiEncoding }),
      propertyObserver: (fields, tag, raw) => {
        if (LOCATION.has(tag) && raw !== null) locations.set(fields, Buffer.from(raw).toString(tag === 0x3713001f ? 'utf16le' : 'latin1').replace(/\0+$/, ''));
      },
    };
    return { reader, data: reader.getFileData() };
  };
  let { reader, data } = open();
  const codePage = data.internetCodepage ?? data.messageCodepage;
  // Old messages hold text in a code page, which is known only after they were read.
  if (data.messageCodepage !== undefined && data.messageCodepage !== 1252 && data.messageCodepage !== 1200) ({ reader, data } = open(data.messageCodepage === 65001 ? 'utf8' : `cp${data.messageCodepage}`));
  if (data.error !== undefined) throw new Error(data.error);
  const attachments = data.attachments ?? [];
  if (attachments.length > MAX_ATTACHMENTS) throw new InputError('INPUT_TOO_COMPLEX', { resource: 'attachments', limit: MAX_ATTACHMENTS });
  const date = dateOf(data);
  return unwrapSigned({
    subject: data.subject ?? '', from: sender(data), to: recipients(data, 'to'), cc: recipients(data, 'cc'), bcc: recipients(data, 'bcc'),
    ...(date === undefined ? {} : { date }), ...bodyOf(data, codePage),
    attachments: attachments.map((each, i) => toAttachment(each, reader.getAttachment(each), i + 1, locations.get(each))),
  });
}

function sender(data: Fields): MailAddress[] {
  const name = data.senderName ?? '';
  const address = [data.senderSmtpAddress, data.sentRepresentingSmtpAddress, data.creatorSMTPAddress, data.senderEmail].find((each) => each?.includes('@') === true) ?? '';
  return name === '' && address === '' ? [] : [{ name: name === address ? '' : name, address }];
}

function recipients(data: Fields, type: 'to' | 'cc' | 'bcc'): MailAddress[] {
  return (data.recipients ?? []).filter(({ recipType = 'to' }) => recipType === type).map(({ name = '', smtpAddress, email }) => {
    // An address of Exchange says nothing to people.
    const address = [smtpAddress, email].find((each) => each?.includes('@') === true) ?? '';
    return { name: name === address ? '' : name, address };
  });
}

function dateOf({ headers, clientSubmitTime, messageDeliveryTime, creationTime }: Fields): Date | undefined {
  const header = /^date:[ \t]*([^\r\n]+)/im.exec(headers ?? '')?.[1];
  return [clientSubmitTime, header, messageDeliveryTime, creationTime].map((text) => new Date(text ?? Number.NaN)).find((date) => !Number.isNaN(date.getTime()));
}

function bodyOf(data: Fields, codePage: number | undefined): Pick<Mail, 'html' | 'text'> {
  const text = data.body === undefined ? {} : { text: windowsText(data.body) };
  if (data.html !== undefined) return { html: decodeOutlookHtml(data.html, codePage), ...text };
  if (data.bodyHtml !== undefined) return { html: windowsText(data.bodyHtml), ...text };
  return { ...text, ...(data.compressedRtf === undefined ? undefined : readOutlookRtf(data.compressedRtf)) };
}

function toAttachment(fields: Fields, { fileName, content }: { readonly fileName: string; readonly content: Uint8Array }, n: number, location: string | undefined): MailAttachment {
  const message = fields.innerMsgContent === true;
  const mediaType = message ? 'application/vnd.ms-outlook' : (fields.attachMimeTag?.toLowerCase().split(';', 1)[0]?.trim() || 'application/octet-stream');
  const given = fields.fileName ?? fields.fileNameShort ?? fileName ?? fields.name;
  const id = fields.pidContentId?.replace(/^<|>$/g, '');
  const name = attachmentName(given, n, mediaType);
  return { name: message && !/\.msg$/i.test(name) ? `${name}.msg` : name, mediaType, content: new Uint8Array(content), ...(id === undefined || id === '' ? {} : { contentId: id }), ...(location === undefined ? {} : { location }) };
}
