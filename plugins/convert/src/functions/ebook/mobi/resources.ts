import { writeFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { Records } from './headers.js';

const MAX_FONT = 32 * 1024 * 1024;
const MAX_TOTAL = 512 * 1024 * 1024;

/** First bytes of what pages may show, and the extension under which it is known. */
const kinds: readonly (readonly [hex: string, extension: string])[] = [
  ['ffd8ff', 'jpg'],
  ['89504e47', 'png'],
  ['47494638', 'gif'],
  ['424d', 'bmp'],
  ['00010000', 'ttf'],
  ['74727565', 'ttf'],
  ['4f54544f', 'otf'],
  ['774f4646', 'woff'],
  ['774f4632', 'woff2'],
];

/** Pictures and fonts of a book, written when they are first asked for. */
export class Resources {
  readonly files = new Map<string, string>();
  #left = MAX_TOTAL;

  constructor(
    private readonly records: Records,
    private readonly first: number,
    private readonly folder: string,
  ) {}

  /** Returns the file of a resource (0-based); undefined if pages may not show it. */
  file(n: number): string | undefined {
    const known = [...kinds, ['', 'svg'] as const]
      .map(([, extension]) => `r${n}.${extension}`)
      .find((name) => this.files.has(name));
    if (known !== undefined || !Number.isInteger(n) || n < 0) return known;
    const record = this.records.record(this.first + n);
    const data = record.subarray(0, 4).toString('latin1') === 'FONT' ? readFont(record) : record;
    const hex = data.subarray(0, 4).toString('hex');
    const extension = kinds.find(([start]) => hex.startsWith(start))?.[1];
    if (extension === undefined || data.length > this.#left) return undefined;
    this.#left -= data.length;
    return this.write(`r${n}.${extension}`, data);
  }

  write(name: string, data: Uint8Array): string {
    writeFileSync(`${this.folder}/${name}`, data, { mode: 0o600 });
    this.files.set(name, name);
    return name;
  }
}

/** A font within its wrapping: made unreadable with a key that is in it, deflated. */
function readFont(record: Buffer): Buffer {
  if (record.length < 24) return Buffer.alloc(0);
  const [flags, start, keyLength, keyStart] = [
    record.readUInt32BE(8),
    record.readUInt32BE(12),
    record.readUInt32BE(16),
    record.readUInt32BE(20),
  ];
  const data = Buffer.from(record.subarray(start));
  const key = record.subarray(keyStart, keyStart + keyLength);
  if ((flags & 2) !== 0 && key.length > 0) {
    const end = Math.min(data.length, keyLength === 16 ? 1024 : 1040);
    for (let i = 0; i < end; i++) data[i] = data[i]! ^ key[i % key.length]!;
  }
  try {
    return (flags & 1) === 0 ? data : inflateSync(data, { maxOutputLength: MAX_FONT });
  } catch {
    return Buffer.alloc(0);
  }
}
