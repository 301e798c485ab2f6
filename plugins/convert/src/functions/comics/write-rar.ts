import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { crc32 } from 'node:zlib';

/** A file to put into an archive. */
export interface RarMember {
  /** ASCII, without folders. */
  readonly name: string;
  readonly path: string;
}

const SIGNATURE = Buffer.from('526172211a0700', 'hex');
/** Marks of blocks and headers (RAR 2.9 technical note). */
const ARCHIVE_HEADER = 0x73;
const FILE_HEADER = 0x74;
const END_OF_ARCHIVE = 0x7b;
const LONG_BLOCK = 0x8000;
const STORED = 0x30;
const UNIX = 3;
const VERSION_TO_READ = 20;
/** Mode of a plain file that everybody may read. */
const PLAIN_FILE = 0o100644;
/** The first moment that MS-DOS dates know: 1980-01-01, 00:00. */
const NO_TIME = 0x00210000;
const LARGEST_MEMBER = 2 ** 32 - 1;

/**
 * Writes a RAR archive of the version that every reader knows (2.9), its members stored as they are: the format's
 * compression is proprietary, and pictures are packed already. Gives the size in bytes. Throws RangeError for a member
 * of 4 GiB or more.
 */
export async function writeRar(members: readonly RarMember[], target: string, signal?: AbortSignal): Promise<number> {
  const out = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  const written = finished(out);
  // Awaited at the end; a run that ends before must not leave a rejection behind.
  written.catch(() => undefined);
  const put = async (bytes: Uint8Array): Promise<void> => {
    signal?.throwIfAborted();
    if (out.errored !== null) throw out.errored;
    if (!out.write(bytes)) await Promise.race([once(out, 'drain'), written]);
  };
  try {
    await put(SIGNATURE);
    await put(block(ARCHIVE_HEADER, 0, Buffer.alloc(6)));
    for (const { name, path } of members) {
      const { size, crc } = await measure(path, signal);
      if (size > LARGEST_MEMBER) throw new RangeError('a member of an archive is 4 GiB or larger');
      await put(fileHeader(name, size, crc));
      for await (const chunk of createReadStream(path, { signal })) await put(chunk as Buffer);
    }
    await put(block(END_OF_ARCHIVE, 0x4000, Buffer.alloc(0)));
    out.end();
    await written;
  } catch (error) {
    out.destroy();
    throw error;
  }
  return out.bytesWritten;
}

async function measure(path: string, signal: AbortSignal | undefined): Promise<{ size: number; crc: number }> {
  const file = await open(path);
  let [size, crc] = [0, 0];
  for await (const chunk of file.createReadStream({ signal })) {
    size += (chunk as Buffer).length;
    crc = crc32(chunk as Buffer, crc);
  }
  return { size, crc };
}

function fileHeader(name: string, size: number, crc: number): Buffer {
  const label = Buffer.from(name, 'latin1');
  const body = Buffer.alloc(25 + label.length);
  body.writeUInt32LE(size, 0);
  body.writeUInt32LE(size, 4);
  body[8] = UNIX;
  body.writeUInt32LE(crc, 9);
  body.writeUInt32LE(NO_TIME, 13);
  body[17] = VERSION_TO_READ;
  body[18] = STORED;
  body.writeUInt16LE(label.length, 19);
  body.writeUInt32LE(PLAIN_FILE, 21);
  label.copy(body, 25);
  return block(FILE_HEADER, LONG_BLOCK, body);
}

/** A header begins with the lower half of its CRC-32, its type, its flags and its length. */
function block(type: number, flags: number, body: Buffer): Buffer {
  const head = Buffer.alloc(7);
  head[2] = type;
  head.writeUInt16LE(flags, 3);
  head.writeUInt16LE(7 + body.length, 5);
  const whole = Buffer.concat([head, body]);
  whole.writeUInt16LE(crc32(whole.subarray(2)) & 0xffff, 0);
  return whole;
}
