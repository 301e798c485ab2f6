import { type RawPicture, checkPixels, unreadable } from './picture-checks.js';

const FILE_HEADER = 14;

/**
 * Decodes a Windows bitmap. The size is checked by the header first, so that a wrong one is rejected before memory is
 * allocated.
 */
export async function readBmp(bytes: Uint8Array, field: string): Promise<RawPicture> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < FILE_HEADER + 12 || data.toString('latin1', 0, 2) !== 'BM')
    throw unreadable(field, 'it is not a bmp file');
  const old = data.readUInt32LE(FILE_HEADER) === 12;
  const width = old ? data.readUInt16LE(18) : data.readInt32LE(18);
  const height = Math.abs(old ? data.readInt16LE(20) : data.readInt32LE(22));
  if (width <= 0 || height <= 0) throw unreadable(field, 'it has no size');
  checkPixels(width, height);
  const bits = data.readUInt16LE(old ? 24 : 28);
  const packed = !old && [1, 2].includes(data.readUInt32LE(30));
  if (!packed && data.length < Math.ceil((width * bits) / 32) * 4 * height)
    throw unreadable(field, 'it ends too early');
  const { decode } = await import('bmp-ts');
  try {
    const decoded = decode(data, { toRGBA: true });
    // The fourth byte of 24 and 32 bit bitmaps is mostly unused and 0; read as alpha it would make the image invisible.
    const rgb = Buffer.allocUnsafe(width * height * 3);
    for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
      rgb[to] = decoded.data[from]!;
      rgb[to + 1] = decoded.data[from + 1]!;
      rgb[to + 2] = decoded.data[from + 2]!;
    }
    return { width, height, channels: 3, data: rgb };
  } catch (error) {
    throw unreadable(field, 'its data is damaged', error);
  }
}
