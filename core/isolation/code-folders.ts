import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the files and folders that a process must read to load these modules: the package of each, the `node_modules`
 * folders on its way up, and packages that are linked from there.
 */
export function codeFolders(modules: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const module of modules) addPackage(realpathSync(module), found);
  // A folder inside another one needs no entry of its own.
  return [...found].filter((path) => ![...found].some((other) => path.startsWith(`${other}/`))).sort();
}

function addPackage(module: string, found: Set<string>): void {
  let own: string | undefined;
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    const description = join(folder, 'package.json');
    if (own === undefined && existsSync(description)) {
      own = folder;
      if (found.has(own)) return;
      found.add(own);
    } else if (existsSync(description)) found.add(description);
    addModules(join(folder, 'node_modules'), found);
    if (dirname(folder) === folder) return;
  }
}

function addModules(folder: string, found: Set<string>): void {
  if (found.has(folder) || !existsSync(folder)) return;
  found.add(folder);
  const real = realpathSync(folder);
  if (real !== folder) addModules(real, found);
  for (const linked of linksIn(folder)) {
    const target = realpathSync(linked);
    if (!target.startsWith(`${folder}/`)) addPackage(join(target, 'package.json'), found);
  }
}

/** Packages of the folder that are symbolic links, also those in scopes. */
function linksIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('@') && entry.isDirectory()) return linksIn(path);
    return entry.isSymbolicLink() && isFolder(path) ? [path] : [];
  });
}

function isFolder(link: string): boolean {
  try {
    return lstatSync(realpathSync(link)).isDirectory();
  } catch {
    return false;
  }
}
