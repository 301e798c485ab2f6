import { decodeUtf16Le } from '@quire/document/file/charsets';
import { attachmentName, type MailAttachment, MAX_ATTACHMENTS } from './mail.js';
import { decodeCodePage, decodeOutlookHtml, readOutlookRtf } from './outlook-body.js';

/** Content of a `winmail.dat` file. */
export interface Tnef {
  readonly html?: string;
  readonly attachments: readonly MailAttachment[];
}

const SIGNATURE = 0x223e9f78;
/** Attributes (MS-OXTNEF, 2.1.3.3 and 2.1.3.4). */
const attributes = {
  codePage: 0x00069007,
  properties: 0x00069003,
  begin: 0x00069002,
  title: 0x00018010,
  data: 0x0006800f,
  attached: 0x00069005,
} as const;
/** Properties (MS-OXPROPS): long and short file name, content id and location, media type, HTML and RTF of the body. */
const names = {
  long: 0x3707,
  short: 0x3704,
  contentId: 0x3712,
  location: 0x3713,
  mediaType: 0x370e,
  data: 0x3701,
  html: 0x1013,
  rtf: 0x1009,
} as const;

type Value = string | Uint8Array;
interface Attached {
  title?: string;
  data?: Uint8Array;
  properties: ReadonlyMap<number, Value>;
}

/**
 * Reads a TNEF stream (MS-OXTNEF), which emails carry as `winmail.dat`; undefined if the bytes are not TNEF. Truncated
 * and damaged parts are left out.
 */
export function readTnef(bytes: Uint8Array): Tnef | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.length < 6 || buffer.readUInt32LE(0) !== SIGNATURE) return undefined;
  let codePage = 1252;
  let body: ReadonlyMap<number, Value> = new Map();
  const attached: Attached[] = [];
  for (let at = 6; at + 9 <= buffer.length && attached.length <= MAX_ATTACHMENTS;) {
    const id = buffer.readUInt32LE(at + 1);
    const length = buffer.readUInt32LE(at + 5);
    const data = buffer.subarray(at + 9, at + 9 + length);
    at += 9 + length + 2;
    const last = attached.at(-1);
    if (id === attributes.codePage && data.length >= 4) codePage = data.readUInt32LE(0);
    else if (id === attributes.properties) body = readProperties(data, codePage);
    else if (id === attributes.begin) attached.push({ properties: new Map() });
    else if (last === undefined) continue;
    else if (id === attributes.title) last.title = decodeCodePage(data, codePage).replace(/\0[\s\S]*$/, '');
    else if (id === attributes.data) last.data = data;
    else if (id === attributes.attached) last.properties = readProperties(data, codePage);
  }
  const html = htmlOf(body, codePage);
  return { ...(html === undefined ? {} : { html }), attachments: attached.flatMap(toAttachment) };
}

function htmlOf(properties: ReadonlyMap<number, Value>, codePage: number): string | undefined {
  const html = properties.get(names.html);
  if (html !== undefined) return typeof html === 'string' ? html : decodeOutlookHtml(html, codePage);
  const rtf = properties.get(names.rtf);
  return rtf instanceof Uint8Array ? readOutlookRtf(rtf)?.html : undefined;
}

function toAttachment({ title, data, properties }: Attached, i: number): MailAttachment[] {
  const text = (id: number): string | undefined => {
    const value = properties.get(id);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const stored = properties.get(names.data);
  // Embedded messages and objects start with the identifier of their interface.
  const content = data ?? (stored instanceof Uint8Array ? stored.subarray(16) : undefined);
  if (content === undefined) return [];
  const mediaType = text(names.mediaType)?.toLowerCase() ?? 'application/octet-stream';
  const [contentId, location] = [text(names.contentId)?.replace(/^<|>$/g, ''), text(names.location)];
  return [
    {
      name: attachmentName(text(names.long) ?? title ?? text(names.short), i + 1, mediaType),
      mediaType,
      content,
      ...(contentId === undefined ? {} : { contentId }),
      ...(location === undefined ? {} : { location }),
    },
  ];
}

/** Sizes of values of fixed length, padded to four bytes (MS-OXCDATA, 2.11.1). */
const fixed: Readonly<Record<number, number>> = {
  0x02: 4,
  0x03: 4,
  0x04: 4,
  0x05: 8,
  0x06: 8,
  0x07: 8,
  0x0a: 4,
  0x0b: 4,
  0x14: 8,
  0x40: 8,
  0x48: 16,
};
const STRING8 = 0x1e;
const UNICODE = 0x1f;
const BINARY = 0x102;
const OBJECT = 0x0d;
const MANY = 0x1000;

/** Reads a list of properties (MS-OXTNEF, 2.1.3.5) as far as it goes. */
function readProperties(data: Buffer, codePage: number): Map<number, Value> {
  const found = new Map<number, Value>();
  let at = 0;
  const take = (length: number): Buffer => {
    if (length > data.length - at) throw new RangeError('a property list ends early');
    const bytes = data.subarray(at, at + length);
    at += length + ((4 - (length & 3)) & 3);
    return bytes;
  };
  const number = (): number => take(4).readUInt32LE(0);
  try {
    for (let left = number(); left > 0; left--) {
      const head = take(4);
      const [type, id] = [head.readUInt16LE(0), head.readUInt16LE(2)];
      if (id >= 0x8000) {
        take(16);
        if (number() === 0) number();
        else take(number());
      }
      const [kind, size] = [type & ~MANY, fixed[type & ~MANY]];
      const counted = size === undefined || (type & MANY) !== 0;
      for (let values = counted ? number() : 1; values > 0; values--) {
        const value = take(size ?? number());
        if (found.has(id)) continue;
        if (kind === STRING8) found.set(id, decodeCodePage(value, codePage).replace(/\0[\s\S]*$/, ''));
        else if (kind === UNICODE) found.set(id, decodeUtf16Le(value).replace(/\0[\s\S]*$/, ''));
        else if (kind === BINARY || kind === OBJECT) found.set(id, value);
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}
