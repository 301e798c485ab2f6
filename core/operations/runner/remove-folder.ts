import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Freeing the blocks of a larger file takes long enough to delay other calls. */
const SMALL_BYTES = 4 * 1024 * 1024;
const MOST_ENTRIES = 64;

/**
 * Removes a folder of the temporary folder; it may be missing. A few small files are removed synchronously, which takes
 * microseconds; each of a dozen hops to the thread pool would cost a call more than all of them.
 */
export async function removeFolder(root: string): Promise<void> {
  try {
    const budget = { entries: MOST_ENTRIES };
    if (removeSmall(root, budget)) return;
  } catch {
    // The folder is missing, or somebody writes into it: the general way retries.
  }
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
}

/** Returns false when something is left because it is large, or there is too much. */
function removeSmall(folder: string, budget: { entries: number }): boolean {
  let all = true;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (--budget.entries < 0) return false;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) all = removeSmall(path, budget) && all;
    else if (lstatSync(path).size <= SMALL_BYTES) unlinkSync(path);
    else all = false;
  }
  if (all) rmdirSync(folder);
  return all;
}
