import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepairProgram } from './repair-engine.js';

/**
 * Returns a repair program for a function that reads a PDF at `input` and writes one to `output`, both in `folder`,
 * which must be private. Both files are deleted afterwards.
 */
export function fileProgram(
  name: string,
  folder: string,
  run: (input: string, output: string, signal: AbortSignal) => Promise<void>,
): RepairProgram {
  return {
    name,
    rebuild: async (bytes, signal) => {
      const [input, output] = [join(folder, `${name}-in.pdf`), join(folder, `${name}-out.pdf`)];
      try {
        await writeFile(input, bytes, { mode: 0o600 });
        await run(input, output, signal);
        return new Uint8Array(await readFile(output));
      } finally {
        await Promise.all([input, output].map((path) => rm(path, { force: true })));
      }
    },
  };
}
