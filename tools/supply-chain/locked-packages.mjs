// Reads package-lock.json. Not `npm sbom` or `npm ls --omit=dev`: in a workspace they leave out what the root needs for
// its tests and another package needs at run time (sharp, joi and 80 others).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = 'node_modules/';
export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns every package that npm installs with the server on some platform, sorted by name and version: `name`,
 * `version`, `licence` (SPDX expression, or "not declared"), `integrity`, `optional`, and `needs`, the `name@version`
 * of the packages that it requires.
 */
export function lockedPackages() {
  const { packages } = readLock();
  const found = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    if (!isInstalled(path, entry)) continue;
    const name = nameOf(path);
    found.set(`${name}@${entry.version}`, {
      name,
      version: entry.version,
      licence: entry.license ?? licenceOf(path),
      integrity: entry.integrity,
      optional: entry.optional === true,
      needs: needsOf(packages, path, entry),
    });
  }
  return [...found.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1,
  );
}

/** Returns the `name@version` of the packages that the server and its plugins name as dependencies. */
export function directNeeds() {
  const { packages } = readLock();
  const own = Object.entries(packages).filter(([path, { link }]) => !path.includes(FOLDER) && link !== true);
  return [...new Set(own.flatMap(([path, entry]) => needsOf(packages, path, entry)))].sort();
}

function readLock() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
}

function isInstalled(path, { link, dev, devOptional }) {
  return path.includes(FOLDER) && link !== true && dev !== true && devOptional !== true;
}

function nameOf(path) {
  return path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
}

/** Finds each dependency as Node does: in the package's own node_modules, then in those of the folders above. */
function needsOf(packages, path, { dependencies, optionalDependencies, peerDependencies }) {
  const found = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).map((name) => {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const candidate = `${at === '' ? '' : `${at}/`}${FOLDER}${name}`;
      const entry = packages[candidate];
      if (entry !== undefined) return isInstalled(candidate, entry) ? `${name}@${entry.version}` : undefined;
      if (at === '') return undefined;
    }
  });
  return [...new Set(found.filter((id) => id !== undefined))].sort();
}

/** Older packages state their licence only in their own package.json. */
function licenceOf(path) {
  const file = join(root, path, 'package.json');
  if (!existsSync(file)) return 'not declared';
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'));
  return license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'not declared';
}
