/** Image format by content. */
export type ImageKind = 'png' | 'jpeg';

/** A PNG or JPEG file that begins and ends as one. */
export interface ImageShape {
  readonly kind: ImageKind;
  readonly width: number;
  readonly height: number;
}

const pngMagic = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** PNG or JPEG by the first bytes (ISO/IEC 15948, 5.2; ISO/IEC 10918-1, B.1.1); undefined for anything else. */
export function imageKind(bytes: Uint8Array): ImageKind | undefined {
  if (pngMagic.every((byte, index) => bytes[index] === byte)) return 'png';
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff ? 'jpeg' : undefined;
}

/**
 * Returns the size in pixels from the structure of an image file, without decoding it; undefined if it is not an image
 * or is truncated.
 */
export function imageShape(bytes: Uint8Array): ImageShape | undefined {
  const kind = imageKind(bytes);
  if (kind === undefined) return undefined;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = (kind === 'png' ? pngSize(view) : jpegSize(view)) ?? [0, 0];
  return width > 0 && height > 0 ? { kind, width, height } : undefined;
}

/** IHDR is the first chunk and IEND the last (ISO/IEC 15948, 5.6). */
function pngSize(view: Buffer): readonly [number, number] | undefined {
  if (view.length < 45 || view.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  let at = 8;
  let data = false;
  while (at + 12 <= view.length) {
    const type = view.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return data ? [view.readUInt32BE(16), view.readUInt32BE(20)] : undefined;
    if (type === 'IDAT') data = true;
    at += 12 + view.readUInt32BE(at);
  }
  return undefined;
}

/** Segments up to the first scan, one of them a frame header (ISO/IEC 10918-1, B.2.2); the scans end with EOI. */
function jpegSize(view: Buffer): readonly [number, number] | undefined {
  let size: readonly [number, number] | undefined;
  let at = 2;
  while (at + 4 <= view.length && view[at] === 0xff) {
    const marker = view[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda) return view.indexOf(Buffer.from([0xff, 0xd9]), at) === -1 ? undefined : size;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && at + 9 <= view.length) size = [view.readUInt16BE(at + 7), view.readUInt16BE(at + 5)];
    at += 2 + view.readUInt16BE(at + 2);
  }
  return undefined;
}
