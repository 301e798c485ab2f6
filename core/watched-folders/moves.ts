import { constants, copyFile, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FolderProblem } from './folder-problem.js';
import { RUN_PREFIX, syncFolder, unlessMissing } from './run-journal.js';

/**
 * Makes a folder of the server's own in a watched one. Throws FolderProblem where a link or a file stands in its place:
 * nothing is moved where somebody else points.
 */
export async function ownFolder(path: string): Promise<string> {
  // Not recursively: where a folder cannot be made, that says why.
  await mkdir(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  if (!(await lstat(path)).isDirectory())
    throw new FolderProblem('not-writable', `${JSON.stringify(path)} must be a folder, and is a link or a file.`);
  return path;
}

/**
 * Moves a file, also to another file system; what is there under the name is replaced. Doing it again after a crash
 * does no harm.
 */
export async function moveFile(from: string | Buffer, to: string, run = ''): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const part = join(dirname(to), `.quire-${RUN_PREFIX}${run}-moving-${process.pid}`);
    await copyFile(from, part, constants.COPYFILE_FICLONE);
    await rename(part, to);
    await syncFolder(dirname(to));
    await unlessMissing(unlink(from));
  }
}
