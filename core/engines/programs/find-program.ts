import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findProgram } from '../../isolation/index.js';

/** Returns the executable of this name in the real folder of `file`, or `file` itself. */
export function besideProgram(file: string, name: string): string {
  return findProgram(join(dirname(realpathSync(file)), name), '') ?? file;
}

/** Returns the folder of an installed npm package, whatever it exports. */
export function findPackage(name: string): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const end = entry.lastIndexOf(join('node_modules', name));
    return end < 0 ? undefined : entry.slice(0, end + join('node_modules', name).length);
  } catch {
    return undefined;
  }
}
