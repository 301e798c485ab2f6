import { decodeWindows1252 } from '@quire/document/file/charsets';

const BOM = '\uFEFF';

/**
 * Text in the encoding that its bytes are in: by byte order mark, else UTF-8, else UTF-16 without a mark, else
 * windows-1252.
 */
export function decodeText(data: Buffer): string {
  if (data[0] === 0xff && data[1] === 0xfe) return new TextDecoder('utf-16le').decode(data);
  if (data[0] === 0xfe && data[1] === 0xff) return new TextDecoder('utf-16be').decode(data);
  const sample = data.subarray(0, 4096 & ~1);
  const zeros = [0, 1].map((parity) => sample.filter((byte, index) => byte === 0 && index % 2 === parity).length);
  // Text of Latin letters in UTF-16 has a zero in every other byte.
  if (sample.length >= 4 && (zeros[1] ?? 0) > sample.length / 4 && zeros[0] === 0)
    return new TextDecoder('utf-16le').decode(data);
  if (sample.length >= 4 && (zeros[0] ?? 0) > sample.length / 4 && zeros[1] === 0)
    return new TextDecoder('utf-16be').decode(data);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    return decodeWindows1252(data);
  }
}

/** Encodes text as UTF-8 with a byte order mark, which LibreOffice recognises. */
export function markedText(text: string): Buffer {
  return Buffer.from(BOM + text.replace(/^\uFEFF/, ''), 'utf8');
}
