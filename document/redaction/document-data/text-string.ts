import { PDFHexString, type PDFString, pdfDocEncodingDecode } from 'pdf-lib';
import { decodeUtf16Le } from '../../file/charsets/index.js';

/** Encoding of a text string (ISO 32000-2, 7.9.2.2). UTF-16LE is not standard, but readers accept it. */
type Encoding = 'PDFDoc' | 'UTF-16BE' | 'UTF-16LE' | 'UTF-8';

/** The text of a text string, and a function that encodes another text in the same way. */
export interface ReadString {
  readonly text: string;
  readonly write: (text: string) => PDFHexString;
}

const DOC_TEXT = pdfDocEncodingDecode(Uint8Array.from({ length: 256 }, (_none, code) => code));
const PIECE = 10_000;
const DOC_CODES = new Map([...DOC_TEXT].map((character, code) => [character, code]));
const MARKS: Readonly<Record<Exclude<Encoding, 'PDFDoc'>, readonly number[]>> = {
  'UTF-16BE': [0xfe, 0xff],
  'UTF-16LE': [0xff, 0xfe],
  'UTF-8': [0xef, 0xbb, 0xbf],
};

/** Reads a text string in the encoding that its first bytes indicate. */
export function readString(string: PDFString | PDFHexString): ReadString {
  return readText(Buffer.from(string.asBytes()));
}

/** Does the same for the bytes of a text stream. */
export function readText(bytes: Buffer): ReadString {
  const encoding = encodingOf(bytes);
  return { text: decode(bytes, encoding), write: (text) => PDFHexString.of(encode(text, encoding).toString('hex')) };
}

function encodingOf(bytes: Buffer): Encoding {
  for (const [encoding, mark] of Object.entries(MARKS))
    if (mark.every((byte, i) => bytes[i] === byte)) return encoding as Encoding;
  return 'PDFDoc';
}

function decode(bytes: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case 'UTF-8':
      return bytes.toString('utf8', 3);
    case 'UTF-16LE':
      return decodeUtf16Le(bytes.subarray(2));
    case 'UTF-16BE':
      return decodeUtf16Le(swapped(bytes.subarray(2, bytes.length - (bytes.length % 2))));
    case 'PDFDoc':
      return docText(bytes);
  }
}

/** In chunks, because pdf-lib passes every character as an argument of one call. */
function docText(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += pdfDocEncodingDecode(bytes.subarray(at, at + PIECE));
  return text;
}

function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === 'PDFDoc' && [...text].every((character) => DOC_CODES.has(character)))
    return Buffer.from([...text].map((character) => DOC_CODES.get(character) ?? 0));
  const mark = Buffer.from(MARKS[encoding === 'PDFDoc' ? 'UTF-16BE' : encoding]);
  if (encoding === 'UTF-8') return Buffer.concat([mark, Buffer.from(text, 'utf8')]);
  const units = Buffer.from(text, 'utf16le');
  return Buffer.concat([mark, encoding === 'UTF-16LE' ? units : swapped(units)]);
}

function swapped(units: Buffer): Buffer {
  return Buffer.from(units).swap16();
}
