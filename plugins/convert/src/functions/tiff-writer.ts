import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Pixels } from './image-format.js';

const compress = promisify(deflate);

/** A tag of an image file directory: number, field type (3 SHORT, 4 LONG, 5 RATIONAL), values (TIFF 6.0, section 2). */
type Tag = readonly [number, 3 | 4 | 5, readonly number[]];

const DEFLATE = 8;
const BLACK_IS_ZERO = 1;
const RGB = 2;
const INCH = 2;

/** Writes a TIFF of several frames, each compressed as one strip; frames may differ in size. */
export class TiffWriter {
  readonly #dpi: number;
  readonly #parts: Buffer[] = [];
  #length = 8;
  /** Where the offset of the next directory is to be written: part and place in it. */
  #link: { part: Buffer; at: number };

  constructor(dpi: number) {
    this.#dpi = dpi;
    const header = Buffer.alloc(8);
    header.write('II', 'latin1');
    header.writeUInt16LE(42, 2);
    this.#parts.push(header);
    this.#link = { part: header, at: 4 };
  }

  /** Adds a frame of one or three channels. */
  async frame({ width, height, channels, data }: Pixels): Promise<void> {
    const strip = this.#append(await compress(data));
    const bits = this.#append(shorts(Array.from({ length: channels }, () => 8)));
    const resolution = Buffer.alloc(8);
    resolution.writeUInt32LE(this.#dpi, 0);
    resolution.writeUInt32LE(1, 4);
    const density = this.#append(resolution);
    this.#directory([
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, channels === 1 ? [8] : [bits.at, channels]],
      [259, 3, [DEFLATE]],
      [262, 3, [channels === 1 ? BLACK_IS_ZERO : RGB]],
      [273, 4, [strip.at]],
      [277, 3, [channels]],
      [278, 4, [height]],
      [279, 4, [strip.length]],
      [282, 5, [density.at]],
      [283, 5, [density.at]],
      [296, 3, [INCH]],
    ]);
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  #directory(tags: readonly Tag[]): void {
    const bytes = Buffer.alloc(2 + tags.length * 12 + 4);
    bytes.writeUInt16LE(tags.length, 0);
    tags.forEach(([tag, type, [value = 0, count = 1]], i) => {
      const at = 2 + i * 12;
      bytes.writeUInt16LE(tag, at);
      bytes.writeUInt16LE(type, at + 2);
      bytes.writeUInt32LE(count, at + 4);
      // One SHORT is stored in the field itself; several, and rationals, are stored at an offset.
      if (type === 3 && count === 1) bytes.writeUInt16LE(value, at + 8);
      else bytes.writeUInt32LE(value, at + 8);
    });
    const { at } = this.#append(bytes);
    this.#link.part.writeUInt32LE(at, this.#link.at);
    this.#link = { part: bytes, at: bytes.length - 4 };
  }

  /** Offsets are even (TIFF 6.0, section 2). */
  #append(bytes: Buffer): { at: number; length: number } {
    const at = this.#length;
    this.#parts.push(bytes, Buffer.alloc(bytes.length % 2));
    this.#length += bytes.length + (bytes.length % 2);
    return { at, length: bytes.length };
  }
}

function shorts(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => bytes.writeUInt16LE(value, i * 2));
  return bytes;
}
