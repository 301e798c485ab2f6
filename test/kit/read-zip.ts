import { inflateRawSync } from 'node:zlib';

/** An entry of an archive. */
export interface ZipMember {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;

/** Reads the entries of a zip from a server, in order (APPNOTE 6.3, 4.3). For tests: no encryption, no ZIP64. */
export function readZip(zip: Uint8Array): ZipMember[] {
  const data = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  let end = data.length - 22;
  while (end >= 0 && data.readUInt32LE(end) !== END) end--;
  if (end < 0) throw new Error('The answer is not a zip: it has no end of central directory');
  const members: ZipMember[] = [];
  let at = data.readUInt32LE(end + 16);
  for (let i = data.readUInt16LE(end + 10); i > 0; i--) {
    if (data.readUInt32LE(at) !== CENTRAL) throw new Error('The zip is damaged: its central directory ends early');
    const nameLength = data.readUInt16LE(at + 28);
    const local = data.readUInt32LE(at + 42);
    const start = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
    const packed = data.subarray(start, start + data.readUInt32LE(at + 20));
    const bytes = data.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed);
    members.push({ name: data.toString('utf8', at + 46, at + 46 + nameLength), bytes: new Uint8Array(bytes) });
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return members;
}
