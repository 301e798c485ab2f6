import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Freeing the blocks of a larger file takes long enough to delay other calls. */
const SMALL_BYTES = 4 * 1024 * 1024;
const MOST_ENTRIES = 64;

/**
 * Removes a folder of the temporary folder; it may be missing. A few small files are removed synchronously, which takes
 * microseconds: their bytes are seldom on the disk yet. A folder is: where its block is discarded at once (`discard`
 * without a journal), `rmdir` takes up to milliseconds, so it waits in the thread pool.
 */
export async function removeFolder(root: string): Promise<void> {
  try {
    const budget = { entries: MOST_ENTRIES };
    const emptied: string[] = [];
    if (removeFiles(root, budget, emptied)) {
      for (const folder of emptied) await rmdir(folder);
      return;
    }
  } catch {
    // The folder is missing, or somebody writes into it: the general way retries.
  }
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
}

/** Returns false when something is left because it is large, or there is too much; lists what is empty, inner first. */
function removeFiles(folder: string, budget: { entries: number }, emptied: string[]): boolean {
  let all = true;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (--budget.entries < 0) return false;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) all = removeFiles(path, budget, emptied) && all;
    else if (lstatSync(path).size <= SMALL_BYTES) unlinkSync(path);
    else all = false;
  }
  emptied.push(folder);
  return all;
}
