import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a file that only this user reads (0600): aside, flushed, then renamed, so that there is always the old one or
 * the new one, whole.
 */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  const aside = join(folder, `${name}.${randomUUID()}.new`);
  try {
    const handle = await open(aside, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, join(folder, name));
    await flushFolder(folder);
  } finally {
    await rm(aside, { force: true });
  }
}

/** Removes what a server that was cut off in the middle of `writeWhole` left behind: it holds a private key. */
export async function removeLeftovers(folder: string, name: string): Promise<void> {
  const found = await readdir(folder).catch(() => []);
  await Promise.all(
    found
      .filter((entry) => entry.startsWith(`${name}.`) && entry.endsWith('.new'))
      .map((entry) => rm(join(folder, entry), { force: true })),
  );
}

/** A rename is on disk only when its folder is; some file systems cannot flush one. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
