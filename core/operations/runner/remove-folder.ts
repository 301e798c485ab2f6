import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { dropFolder, useOnce } from '../../isolation/index.js';

/** Freeing the blocks of a larger file takes long enough to delay other calls. */
const SMALL_BYTES = 4 * 1024 * 1024;
/** Files that are removed before other calls get a turn. */
const AT_ONCE = 64;

/**
 * Removes a folder of the temporary folder; it may be missing. Small files are removed synchronously, which takes
 * microseconds: their bytes are seldom on the disk yet.
 */
export async function removeFolder(root: string): Promise<void> {
  try {
    if (await removeFiles(root, { entries: AT_ONCE })) return;
  } catch {
    // The folder is missing, or somebody writes into it: the general way retries.
  }
  useOnce(root);
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
}

/** Returns false when something is left because it is large. */
async function removeFiles(folder: string, turn: { entries: number }): Promise<boolean> {
  let all = true;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (--turn.entries < 0) {
      await setImmediate();
      turn.entries = AT_ONCE;
    }
    const path = join(folder, entry.name);
    if (entry.isDirectory()) all = (await removeFiles(path, turn)) && all;
    else if (lstatSync(path).size <= SMALL_BYTES) unlinkSync(path);
    else all = false;
  }
  if (all) await dropFolder(folder);
  return all;
}
