import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/**
 * Finds an executable file by its name on `searchPath` (the form of PATH), or checks an absolute path. Runs nothing.
 */
export function findProgram(command: string, searchPath: string): string | undefined {
  if (isAbsolute(command)) return isExecutable(command) ? command : undefined;
  // An empty entry of PATH means the working folder; a program from there must never be used.
  return searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, command))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns the executable of this name in the real folder of `file`, or `file` itself. */
export function besideProgram(file: string, name: string): string {
  const beside = join(dirname(realpathSync(file)), name);
  return isExecutable(beside) ? beside : file;
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
