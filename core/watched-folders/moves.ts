import { constants, copyFile, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, unlessMissing } from '../folders/index.js';
import { FolderProblem } from './folder-problem.js';
import { RUN_PREFIX } from './run-journal.js';

/**
 * Creates one of the server's own folders in a watched folder. Throws FolderProblem if a link or a file has its name:
 * files are never moved to where a link points.
 */
export async function ownFolder(path: string): Promise<string> {
  // Not recursive, so that the error says why the folder cannot be created.
  await mkdir(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  if (!(await lstat(path)).isDirectory())
    throw new FolderProblem('not-writable', `${JSON.stringify(path)} must be a folder, but is a link or a file.`);
  return path;
}

/** Moves a file, also to another file system; replaces a file of that name. Repeating it after a crash does no harm. */
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
