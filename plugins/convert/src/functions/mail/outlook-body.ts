import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { decodeWindows1252 } from '@quire/document/file/charsets';
import { decompressRTF } from '@kenjiuno/decompressrtf';
import { deEncapsulateSync, Tokenize } from 'rtf-stream-parser';
import { ToPlainText } from 'rtf-stream-parser/dist/src/ToPlainText.js';

export interface OutlookBody {
  readonly html?: string;
  readonly text?: string;
}

/** It unpacks to nine times as much at most. */
const MAX_PACKED = 8 * 1024 * 1024;

const codePages: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  20127: 'windows-1252',
  20866: 'koi8-r',
  21866: 'koi8-u',
  28591: 'windows-1252',
  28592: 'iso-8859-2',
  28595: 'iso-8859-5',
  28597: 'iso-8859-7',
  28599: 'windows-1254',
  28605: 'iso-8859-15',
  50220: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
  866: 'ibm866',
};

/** Text of bytes in a code page of Windows; windows-1252 where the number is not known. */
export function decodeCodePage(bytes: Uint8Array, codePage: number): string {
  const label = codePages[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : 'windows-1252');
  return label === 'windows-1252' ? decodeWindows1252(bytes) : new TextDecoder(label).decode(bytes);
}

/** HTML as Outlook stored it: in the encoding that it names itself, else in that of the message. */
export function decodeOutlookHtml(bytes: Uint8Array, codePage: number | undefined): string {
  const named = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(
    Buffer.from(bytes.subarray(0, 4096)).toString('latin1'),
  )?.[1];
  try {
    if (codePage === undefined && named !== undefined) return new TextDecoder(named).decode(bytes);
  } catch {
    // An encoding that nobody knows: the code page has to do.
  }
  return decodeCodePage(bytes, codePage ?? 65001);
}

/**
 * The body in compressed RTF (MS-OXRTFCP): the HTML or text that was put in it (MS-OXRTFEX), undefined when it was
 * written as RTF or is damaged.
 */
export function readOutlookRtf(packed: Uint8Array): OutlookBody | undefined {
  try {
    const { mode, text } = deEncapsulateSync(unpackRtf(packed), { mode: 'either', ...reading });
    return mode === 'html' ? { html: String(text) } : { text: String(text) };
  } catch {
    return undefined;
  }
}

/** The words of a body that was written as RTF; undefined when it is damaged or says nothing. */
export async function readRtfWords(packed: Uint8Array): Promise<string | undefined> {
  try {
    const words = new ToPlainText({ ...reading });
    const pieces: string[] = [];
    await pipeline(
      Readable.from([unpackRtf(packed)]),
      new Tokenize(),
      words,
      async (source: AsyncIterable<unknown>) => {
        for await (const piece of source) pieces.push(String(piece));
      },
    );
    const text = pieces.join('');
    return text.trim() === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** How text in RTF is decoded: each font names its code page. */
const reading = {
  warn: () => undefined,
  decode: (bytes: Buffer, encoding: string) => decodeCodePage(bytes, Number(/\d+/.exec(encoding)?.[0] ?? 1252)),
};

function unpackRtf(packed: Uint8Array): Buffer {
  if (packed.length < 16 || packed.length > MAX_PACKED) throw new RangeError('it is too short or too long');
  const input = [...packed];
  // The unpacker believes what is said of the length: it must not be more than there is.
  if (Buffer.from(packed.subarray(0, 4)).readUInt32LE() > packed.length - 4)
    input.splice(0, 4, ...lengthBytes(packed.length - 4));
  return withoutUtf16(Buffer.from(decompressRTF(input)));
}

/**
 * RTF has bytes, so a text that declares UTF-16 as its code page does not mean it; the parser would decode it with
 * `toString('utf16le')`, which is not safe (see document/file/charsets).
 */
function withoutUtf16(rtf: Buffer): Buffer {
  const text = rtf.toString('latin1');
  const corrected = text.replace(/\\(?:\\|(ansicpg|cpg)0*1200(?!\d))/g, (whole, word?: string) =>
    word === undefined ? whole : `\\${word}1252`,
  );
  return corrected === text ? rtf : Buffer.from(corrected, 'latin1');
}

function lengthBytes(length: number): number[] {
  return [length & 255, (length >>> 8) & 255, (length >>> 16) & 255, length >>> 24];
}
