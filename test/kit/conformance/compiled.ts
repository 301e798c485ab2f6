import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { entryOf, type PackageJson } from './subject.js';

interface FileTime {
  readonly path: string;
  /** Modification time in milliseconds. */
  readonly time: number;
}

/**
 * Throws if a source in `src` is newer than everything that the compiler wrote: a test of `src` would then be green
 * beside a server that runs the code from before the edit. A package without `src` has nothing to compare.
 */
export function verifyCompiled(root: string, packageJson: PackageJson): void {
  const source = newest(filesIn(join(root, 'src')).filter((path) => /(?<!\.d|\.test)\.[cm]?tsx?$/.test(path)));
  if (source === undefined) return;
  const entry = join(root, entryOf(packageJson));
  const folder = dirname(entry);
  // The compiler leaves an output alone whose text stays the same, and updates only its build information.
  const information = readdirSync(root).filter((name) => name.endsWith('.tsbuildinfo'));
  const output = newest([...filesIn(folder), ...information.map((name) => join(root, name))]);
  const name = packageJson.name ?? root;
  const compiled = relative(root, folder);
  if (output === undefined) throw new Error(`${name} is not compiled: run npm run build`);
  if (source.time > output.time)
    throw new Error(
      `${name}: ${compiled} is older than ${relative(root, source.path)}, and the conformance kit starts a server that ` +
        `loads ${compiled}: run npm run build`,
    );
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function newest(paths: readonly string[]): FileTime | undefined {
  let last: FileTime | undefined;
  for (const path of paths) {
    const time = statSync(path).mtimeMs;
    if (last === undefined || time > last.time) last = { path, time };
  }
  return last;
}
