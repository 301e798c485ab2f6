import {
  closeSync,
  constants,
  lchownSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { chmod, copyFile, lstat, mkdir, open, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { DefectError } from '@quire/registry';

const isLinux = process.platform === 'linux';

/** Path of an open file or folder, which stays the same one whatever happens to its names; elsewhere its `path`. */
export function heldPath(descriptor: number, path: string): string {
  return isLinux ? `/proc/self/fd/${descriptor}` : path;
}

/** Opens a folder. Throws if it is a link. */
export function holdFolder(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

/** Links share the file; where the volume differs, or links are not allowed, it is copied. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    const handle = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      await copyFile(heldPath(handle.fd, from), to, constants.COPYFILE_FICLONE);
    } finally {
      await handle.close();
    }
  }
}

/** Up to this size reading and writing costs no more than any other way of copying. */
const SMALL_BYTES = 256 * 1024;

/**
 * Copies a file. A small one is read and written: copies by the kernel have their blocks allocated at once, which makes
 * their removal a hundred times slower on ext4 with `discard`.
 */
export async function copy(from: string, to: string): Promise<void> {
  if (statSync(from).size > SMALL_BYTES) return copyFile(from, to, constants.COPYFILE_FICLONE);
  writeFileSync(to, readFileSync(from), { flag: 'wx', mode: 0o600 });
}

/** Moves a file or folder, also to another volume. Does nothing if the source is gone. */
export async function move(from: string, to: string): Promise<void> {
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code !== 'EXDEV') throw error;
    await copyTree(from, to);
    await rm(from, { recursive: true, force: true });
  }
}

/** Links are left out: they could lead anywhere. */
async function copyTree(from: string, to: string): Promise<void> {
  const facts = await lstat(from);
  if (facts.isFile()) return copyFile(from, to);
  if (!facts.isDirectory()) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name));
}

/**
 * Calls `act` with another path of a folder, by which no link can lead elsewhere: confined processes may exchange the
 * folders in `root` at any time. Throws CONTRACT_BROKEN if a folder on the way from `root` is a link already.
 */
export async function inFolder<T>(root: string, folder: string, act: (held: string) => Promise<T>): Promise<T> {
  if (!isLinux || !`${folder}${sep}`.startsWith(root + sep)) return act(folder);
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const held = heldPath(handle.fd, folder);
    if ((await readlink(held)) !== (await realpath(root)) + folder.slice(root.length))
      throw new DefectError('CONTRACT_BROKEN', { detail: 'a folder of a run was replaced by a link' });
    return await act(held);
  } finally {
    await handle.close();
  }
}

/** Calls `act` with another path of a file, as `inFolder` does with one of its folder. */
export function withoutLinks<T>(root: string, path: string, act: (path: string) => Promise<T>): Promise<T> {
  return inFolder(root, dirname(path), (held) => act(join(held, basename(path))));
}

/** Links or copies a file that must be one, and no link. */
export async function placeFile(from: string, to: string): Promise<void> {
  await linkOrCopy(from, to);
  await mustBeFile(to);
}

/** Moves a file that must be one, and no link; a missing one is left out. */
export async function moveFile(from: string, to: string): Promise<void> {
  const here = await lstat(from).catch(() => undefined);
  if (here === undefined) return;
  await move(from, to);
  await mustBeFile(to);
}

/** Renames a file that must be one, and no link, on the same volume. */
export function renameFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notAFile();
    throw error;
  }
  if (lstatSync(to).isFile()) return;
  removeTree(to);
  throw notAFile();
}

const notAFile = (): DefectError =>
  new DefectError('CONTRACT_BROKEN', { detail: 'nothing, a link or a folder was found in place of a file' });

/** Looks after the file was placed, so that nobody can exchange it meanwhile. */
async function mustBeFile(path: string): Promise<void> {
  if ((await lstat(path)).isFile()) return;
  await rm(path, { recursive: true, force: true });
  throw notAFile();
}

/**
 * Gives a file, or a folder with everything in it, to a user number. Follows no link: their owner may put some there
 * meanwhile. `except`: a folder that stays the server's.
 */
export function giveTo(path: string, user: number, except?: string): void {
  unlessGone(() => {
    if (!chownUnless(path, user).isDirectory()) return;
    for (const [name, held] of entriesOf(path)) if (join(path, name) !== except) giveTo(held, user);
  });
}

/** Gives a file or folder to a user number unless it has it; follows no link. Returns what it is. */
export function chownUnless(path: string, user: number): Stats {
  const facts = lstatSync(path);
  if (facts.uid !== user) lchownSync(path, user, user);
  return facts;
}

/**
 * Lets a program that root starts read a file whose owner may be a worker, which needs it meanwhile. The folders around
 * it keep everybody else out.
 */
export async function letRead(path: string): Promise<void> {
  if (process.getuid?.() === 0) await chmod(path, (await lstat(path)).mode | 0o444);
}

/** Removes a file, or a folder with everything in it, and follows no link, as `giveTo`. */
export function removeTree(path: string): void {
  unlessGone(() => {
    if (!lstatSync(path).isDirectory()) return unlinkSync(path);
    for (const [, held] of entriesOf(path)) removeTree(held);
    rmdirSync(path);
  });
}

/** Removes all links in a folder. */
export function removeLinks(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeLinks(join(folder, entry.name));
    else if (!entry.isFile()) unlinkSync(join(folder, entry.name));
  }
}

/** Removes everything in a folder but `except`; `held`: a path of it by which no link can lead elsewhere. */
export function emptyFolder(held: string, except: string): void {
  for (const name of readdirSync(held)) if (name !== except) removeTree(join(held, name));
}

/** The names in a folder, and paths that lead to these entries whatever happens to the folder's own path. */
function* entriesOf(folder: string): Generator<readonly [name: string, path: string]> {
  const descriptor = holdFolder(folder);
  try {
    const held = heldPath(descriptor, folder);
    for (const name of readdirSync(held)) yield [name, join(held, name)];
  } finally {
    closeSync(descriptor);
  }
}

/** A file may vanish, or be replaced by a link, before it is opened. */
function unlessGone(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
