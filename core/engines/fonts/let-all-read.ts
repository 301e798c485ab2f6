import type { Dirent } from 'node:fs';
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Lets programs read a folder that root starts under user numbers of their own. Does nothing for other users. */
export async function letAllRead(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = [folder, ...entries.filter((entry) => !entry.isSymbolicLink()).map(pathOf)];
  await Promise.all(
    paths.map(async (path) => {
      const { mode } = await stat(path);
      // What may be run by its owner is a folder or a program.
      await chmod(path, mode | ((mode & 0o100) === 0 ? 0o444 : 0o555));
    }),
  );
}

const pathOf = ({ parentPath, name }: Dirent): string => join(parentPath, name);
