/** Pictures that browsers draw and that hold no script; not SVG. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** Most pixels along one side: a browser that draws a picture needs four bytes for each pixel. */
const MOST_PIXELS = 2048;

/** Why bytes are not a picture that can be kept. */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';
}

interface Found {
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
}

const readers: readonly ((bytes: Buffer) => Found | undefined)[] = [png, jpeg, gif, webp];

/**
 * Returns what kind of picture bytes are, by their own head and not by what the other server says of them. Nothing is
 * decoded: that is left to browsers, which do so in a sandbox. Throws PictureRefused.
 */
export function pictureTypeOf(given: Uint8Array): PictureType {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  for (const read of readers) {
    const found = read(bytes);
    if (found === undefined) continue;
    const { type, width, height } = found;
    if (width < 1 || height < 1 || width > MOST_PIXELS || height > MOST_PIXELS)
      throw new PictureRefused(`it has ${width} × ${height} pixels; at most ${MOST_PIXELS} × ${MOST_PIXELS} are kept`);
    return type;
  }
  throw new PictureRefused('it is not a PNG, JPEG, GIF or WebP picture');
}

/** PNG, 5.2 and 11.2.2; the last chunk is IEND. */
function png(bytes: Buffer): Found | undefined {
  const isPng = hasAt(bytes, 0, '\x89PNG\r\n\x1a\n') && hasAt(bytes, 12, 'IHDR') && bytes.length >= 45;
  if (!isPng || !bytes.subarray(-64).includes('IEND', 0, 'latin1')) return undefined;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** GIF89a, 17 and 18. */
function gif(bytes: Buffer): Found | undefined {
  if (bytes.length < 14 || !(hasAt(bytes, 0, 'GIF87a') || hasAt(bytes, 0, 'GIF89a'))) return undefined;
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** ITU-T T.81, B.1.1 and B.2.2: the frame header is behind markers with a length. */
function jpeg(bytes: Buffer): Found | undefined {
  if (!hasAt(bytes, 0, '\xff\xd8\xff')) return undefined;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    const length = bytes.readUInt16BE(at + 2);
    if (marker === 0xda || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** RFC 9649, 2.3 to 2.7: the first chunk is VP8, VP8L or VP8X. */
function webp(bytes: Buffer): Found | undefined {
  if (bytes.length < 30 || !hasAt(bytes, 0, 'RIFF') || !hasAt(bytes, 8, 'WEBP')) return undefined;
  const type = 'image/webp';
  if (hasAt(bytes, 12, 'VP8X'))
    return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (hasAt(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const sizes = bytes.readUInt32LE(21);
    return { type, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
  }
  if (hasAt(bytes, 12, 'VP8 ') && hasAt(bytes, 23, '\x9d\x01\x2a'))
    return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return undefined;
}

function hasAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.subarray(at, at + text.length).toString('latin1') === text;
}
