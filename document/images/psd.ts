import { type RawPicture, checkPixels, unreadable } from './picture-checks.js';

const GREY = 1;
const RGB = 3;

/**
 * Decodes the merged image of a Photoshop file (File Formats Specification, Image Data Section): 8 bits, grey or RGB,
 * raw or PackBits. Other colour modes and depths, and files without a merged image, are rejected.
 */
export function readPsd(bytes: Uint8Array, field: string): RawPicture {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return parse(data, field);
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(field, 'it ends too early', error);
    throw error;
  }
}

function parse(data: Buffer, field: string): RawPicture {
  if (data.toString('latin1', 0, 4) !== '8BPS' || data.readUInt16BE(4) !== 1)
    throw unreadable(field, 'it is not a readable psd file');
  const channels = data.readUInt16BE(12);
  const height = data.readUInt32BE(14);
  const width = data.readUInt32BE(18);
  const depth = data.readUInt16BE(22);
  const mode = data.readUInt16BE(24);
  if (width === 0 || height === 0) throw unreadable(field, 'it has no size');
  checkPixels(width, height);
  const planes = mode === RGB ? 3 : 1;
  if (depth !== 8 || (mode !== RGB && mode !== GREY) || channels < planes)
    throw unreadable(field, 'only 8 bit grey and RGB images can be read');
  let at = 26;
  for (let section = 0; section < 3; section++) at += 4 + data.readUInt32BE(at);
  const compression = data.readUInt16BE(at);
  at += 2;
  const rows =
    compression === 0
      ? rawRows(data, at, width, height * planes)
      : compression === 1
        ? packedRows(data, at, width, height, channels, planes)
        : undefined;
  if (rows === undefined) throw unreadable(field, 'its compression is unknown');
  const rgb = Buffer.allocUnsafe(width * height * 3);
  const plane = width * height;
  for (let i = 0; i < plane; i++) {
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = rows[planes === 3 ? c * plane + i : i]!;
  }
  return { width, height, channels: 3, data: rgb };
}

function rawRows(data: Buffer, at: number, width: number, rows: number): Buffer {
  if (at + width * rows > data.length) throw new RangeError('short');
  return data.subarray(at, at + width * rows);
}

function packedRows(
  data: Buffer,
  start: number,
  width: number,
  height: number,
  channels: number,
  planes: number,
): Buffer {
  const target = Buffer.alloc(width * height * planes);
  let at = start + height * channels * 2;
  for (let row = 0; row < height * planes; row++) {
    const end = at + data.readUInt16BE(start + row * 2);
    unpackBits(data.subarray(at, end), target.subarray(row * width, (row + 1) * width));
    at = end;
  }
  if (at > data.length) throw new RangeError('short');
  return target;
}

function unpackBits(source: Buffer, target: Buffer): void {
  let from = 0;
  let to = 0;
  while (from < source.length && to < target.length) {
    const control = source.readInt8(from++);
    if (control >= 0) {
      to += source.copy(target, to, from, from + control + 1);
      from += control + 1;
    } else if (control !== -128) {
      const count = 1 - control;
      target.fill(source[from++] ?? 0, to, to + count);
      to += count;
    }
  }
}
