import {
  closeSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  read,
  realpathSync,
  renameSync,
  unlinkSync,
  type BigIntStats,
} from 'node:fs';
import { link, lstat, open, realpath, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';

type Path = string | Buffer;

/** An open file or folder. */
export interface OpenOnDisk {
  readonly fd: number;
  stats(): Promise<BigIntStats>;
  /** Reads at most this many bytes from where the last read ended; returns their number, 0 at the end. */
  read(buffer: Buffer, length: number): Promise<number>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Calls of the file system about names, which transfer no content. Rejects as `node:fs/promises` does.
 */
export interface DiskCalls {
  lstat(path: Path): Promise<BigIntStats>;
  realpath(path: string): Promise<string>;
  link(from: Path, to: Path): Promise<void>;
  rename(from: Path, to: Path): Promise<void>;
  /** Removes a name of a file that has another one: what takes long is to free the blocks of the last one. */
  unlinkName(path: Path): Promise<void>;
  /** Opens for reading; `flags` as in open(2). */
  open(path: Path, flags: number): Promise<OpenOnDisk>;
}

/** In the thread pool, where a disk that does not answer holds up nobody else. */
export const pooledCalls: DiskCalls = {
  lstat: (path) => lstat(path, { bigint: true }),
  realpath: (path) => realpath(path),
  link,
  rename,
  unlinkName: unlink,
  open: async (path, flags) => opened(await open(path, flags)),
};

/**
 * At once: each takes microseconds, and a turn in the thread pool 50 to 100. For the disk with the server's own files,
 * on which its database waits too.
 */
export const directCalls: DiskCalls = {
  lstat: async (path) => lstatSync(path, { bigint: true }),
  realpath: async (path) => realpathSync.native(path),
  link: async (from, to) => linkSync(from, to),
  rename: async (from, to) => renameSync(from, to),
  unlinkName: async (path) => unlinkSync(path),
  open: async (path, flags) => openedAtOnce(openSync(path, flags)),
};

/** The calls for what is directly in a folder, given a folder of the server's own. */
export async function callsFor(folder: string, own: string): Promise<DiskCalls> {
  const [theirs, ours] = await Promise.all([stat(folder), stat(own)].map((stats) => stats.catch(() => undefined)));
  return theirs !== undefined && theirs.dev === ours?.dev ? directCalls : pooledCalls;
}

function opened(file: FileHandle): OpenOnDisk {
  return {
    fd: file.fd,
    stats: () => file.stat({ bigint: true }),
    read: async (buffer, length) => (await file.read(buffer, 0, length)).bytesRead,
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

const pooledRead = promisify(read);
const pooledSync = promisify(fsync);

/** The content may have to come from the disk: reading and flushing stay in the pool. */
function openedAtOnce(fd: number): OpenOnDisk {
  return {
    fd,
    stats: async () => fstatSync(fd, { bigint: true }),
    read: async (buffer, length) => (await pooledRead(fd, buffer, 0, length, null)).bytesRead,
    sync: () => pooledSync(fd),
    close: async () => closeSync(fd),
  };
}
