import { decodeUtf16Le } from '@quire/document/file/charsets';

const SIGNATURE = 'd0cf11e0a1b11ae1';
const LAST = 0xfffffffa;
/** A directory of an office document has some tens of entries, that of a mail with many recipients some thousands. */
const MOST_ENTRIES = 10_000;
const DEEPEST = 20;

/** A stream of a compound file. */
export interface CompoundStream {
  readonly name: string;
  readonly size: number;
  /** The first bytes, as many as there are and were asked for. */
  head(length: number): Buffer;
}

/** A storage of a compound file with its content. */
export interface CompoundStorage {
  readonly name: string;
  readonly streams: readonly CompoundStream[];
  readonly storages: readonly CompoundStorage[];
}

interface Opened {
  /** The directory, entry by entry (MS-CFB, 2.6.1). */
  readonly entries: readonly Buffer[];
  readonly stream: (entry: Buffer) => CompoundStream;
}

/**
 * Lists the streams of a compound file ([MS-CFB]), the container of old office documents and of encrypted OOXML;
 * undefined if the bytes are not one. Reads only the beginning of streams and follows sector chains no further than the
 * length of the file.
 */
export function readCompoundFile(data: Buffer): readonly CompoundStream[] | undefined {
  const opened = openCompound(data);
  return opened?.entries.filter((entry) => entry[66] === 2).map(opened.stream);
}

/**
 * Reads a compound file as a tree, each entry once and at most 20 storages deep; undefined if the bytes are not one.
 */
export function readCompoundTree(data: Buffer): CompoundStorage | undefined {
  const opened = openCompound(data);
  const root = opened?.entries[0];
  if (opened === undefined || root === undefined || root[66] !== 5) return undefined;
  const seen = new Set<Buffer>([root]);
  const read = (storage: Buffer, depth: number): CompoundStorage => {
    const [streams, storages]: [CompoundStream[], CompoundStorage[]] = [[], []];
    // Each storage has its own tree of entries, sorted by name.
    const open = [storage.readUInt32LE(76)];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      const entry = opened.entries[number];
      if (entry === undefined || seen.has(entry)) continue;
      seen.add(entry);
      if (entry[66] === 2) streams.push(opened.stream(entry));
      else if (entry[66] === 1 && depth < DEEPEST) storages.push(read(entry, depth + 1));
      open.push(entry.readUInt32LE(72), entry.readUInt32LE(68));
    }
    return { name: entryName(storage), streams, storages };
  };
  return read(root, 0);
}

function openCompound(data: Buffer): Opened | undefined {
  if (data.length < 1536 || data.toString('hex', 0, 8) !== SIGNATURE) return undefined;
  const shift = data.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return undefined;
  const sectorSize = 1 << shift;
  const sector = (number: number): Buffer => data.subarray((number + 1) * sectorSize, (number + 2) * sectorSize);
  const sectors = Math.ceil(data.length / sectorSize);
  const table = fatSectors(data, sector, sectors, sectorSize);
  const next = (number: number): number => {
    const page = table[Math.floor(number / (sectorSize / 4))];
    const at = (number % (sectorSize / 4)) * 4;
    const bytes = page === undefined ? Buffer.alloc(0) : sector(page);
    return at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0xffffffff;
  };
  const chain = (
    first: number,
    length: number,
    step: (number: number) => number,
    most: number,
    piece: (number: number) => Buffer,
  ): Buffer => {
    const pieces: Buffer[] = [];
    let got = 0;
    for (let number = first, count = 0; number < LAST && got < length && count < most; number = step(number), count++) {
      const bytes = piece(number);
      if (bytes.length === 0) break;
      pieces.push(bytes);
      got += bytes.length;
    }
    return Buffer.concat(pieces).subarray(0, length);
  };
  const read = (first: number, length: number): Buffer => chain(first, length, next, sectors, sector);
  const directory = read(data.readUInt32LE(48), MOST_ENTRIES * 128);
  const entries = Array.from({ length: Math.floor(directory.length / 128) }, (_, index) =>
    directory.subarray(index * 128, (index + 1) * 128),
  );
  const root = entries.find((entry) => entry[66] === 5);
  const smallerThan = data.readUInt32LE(56);
  // Small streams are inside a stream of the root entry, in sectors of 64 bytes with their own table.
  let parts: { readonly all: Buffer; readonly links: Buffer } | undefined;
  const small = (first: number, length: number): Buffer => {
    parts ??= {
      all:
        root === undefined
          ? Buffer.alloc(0)
          : read(root.readUInt32LE(116), Math.min(root.readUInt32LE(120), data.length)),
      links: read(data.readUInt32LE(60), data.length),
    };
    const { all, links } = parts;
    return chain(
      first,
      length,
      (number) => (number * 4 + 4 <= links.length ? links.readUInt32LE(number * 4) : 0xffffffff),
      Math.ceil(all.length / 64),
      (number) => all.subarray(number * 64, number * 64 + 64),
    );
  };
  const stream = (entry: Buffer): CompoundStream => {
    const size = entry.readUInt32LE(120);
    return {
      name: entryName(entry),
      size,
      head: (length) => (size < smallerThan ? small : read)(entry.readUInt32LE(116), Math.min(length, size)),
    };
  };
  return { entries, stream };
}

function entryName(entry: Buffer): string {
  return decodeUtf16Le(entry.subarray(0, Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2)));
}

/** The sectors of the sector table: 109 are in the header, the others in a chain. */
function fatSectors(data: Buffer, sector: (number: number) => Buffer, sectors: number, sectorSize: number): number[] {
  const found: number[] = [];
  for (let at = 76; at < 512; at += 4) if (data.readUInt32LE(at) < LAST) found.push(data.readUInt32LE(at));
  for (let number = data.readUInt32LE(68), count = 0; number < LAST && count < sectors; count++) {
    const page = sector(number);
    if (page.length < sectorSize) break;
    for (let at = 0; at < sectorSize - 4; at += 4) if (page.readUInt32LE(at) < LAST) found.push(page.readUInt32LE(at));
    number = page.readUInt32LE(sectorSize - 4);
  }
  return found;
}
