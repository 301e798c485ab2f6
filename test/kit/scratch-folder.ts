import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | undefined;

/** Returns the temporary folder of this process, which is removed when the process ends. */
export function scratchFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'quire-kit-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}
