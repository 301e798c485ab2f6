import { randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ID_FILE = '.quire-folder';

/**
 * The id that a watched folder has for every server that sees it, under whatever path: made once, kept in its
 * `processing/`.
 */
export async function folderId(processing: string): Promise<string> {
  const path = join(processing, ID_FILE);
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known.trim() !== '') return known.trim();
  const id = randomUUID();
  const mine = join(processing, `${ID_FILE}-${id}`);
  await writeFile(mine, `${id}\n`, { flag: 'wx', mode: 0o600 });
  try {
    // Whoever links first has named the folder; a half-written id is never seen.
    await link(mine, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(mine);
  }
  return (await readFile(path, 'utf8')).trim();
}
