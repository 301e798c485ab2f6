import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

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
