import { once } from 'node:events';
import { crc32, createDeflate } from 'node:zlib';

/** Values of a PNG header. Channels: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly dpi: number;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const colourTypes = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;
const FILTER_UP = 2;
const METRES_PER_INCH = 0.0254;

/** Writes a PNG row by row (PNG, 3rd edition), so that a picture far larger than memory allows can be made. */
export class PngWriter {
  readonly #header: PngHeader;
  readonly #deflate = createDeflate({ level: 6 });
  readonly #data: Buffer[] = [];
  #previous: Buffer;

  constructor(header: PngHeader) {
    this.#header = header;
    this.#previous = Buffer.alloc(header.width * header.channels);
    this.#deflate.on('data', (chunk: Buffer) => this.#data.push(chunk));
  }

  /** Adds one row of `width * channels` bytes. */
  async row(row: Uint8Array): Promise<void> {
    const previous = this.#previous;
    const filtered = Buffer.allocUnsafe(row.length + 1);
    filtered[0] = FILTER_UP;
    for (let i = 0; i < row.length; i++) filtered[i + 1] = row[i]! - previous[i]!;
    previous.set(row);
    if (!this.#deflate.write(filtered)) await once(this.#deflate, 'drain');
  }

  /** Ends the picture and gives the file. */
  async finish(): Promise<Uint8Array> {
    this.#deflate.end();
    await once(this.#deflate, 'end');
    const { width, height, channels, dpi } = this.#header;
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, colourTypes[channels], 0, 0, 0], 8);
    return Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      densityChunk(dpi),
      ...this.#data.map((data) => chunk('IDAT', data)),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}

/** The pHYs chunk for a resolution (PNG, 11.3.4.3). */
export function densityChunk(dpi: number): Buffer {
  const density = Buffer.alloc(9);
  density.writeUInt32BE(Math.round(dpi / METRES_PER_INCH), 0);
  density.writeUInt32BE(Math.round(dpi / METRES_PER_INCH), 4);
  density[8] = 1;
  return chunk('pHYs', density);
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length);
  return framed;
}
