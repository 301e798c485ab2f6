import { readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Logger } from '@quire/registry';
import { ownFolders } from './folder-listing.js';
import { isInside } from './output-place.js';

/** A folder that may be watched. */
export interface FoundFolder {
  /** As it was reached; links are not resolved. */
  readonly path: string;
  /** Where it really is. */
  readonly real: string;
  /** The way from its root. */
  readonly fromRoot: string;
  /** True when something lies in it that a watched folder has. */
  readonly occupied: boolean;
}

const DEEPEST = 50;
const MOST_FOLDERS = 20_000;

/** True for names of folders that are never watched. */
export function isPassedOver(name: string): boolean {
  return name.startsWith('.') || ownFolders.has(name);
}

/**
 * Finds all folders below the roots, to a depth of 50. Links are followed as far as they stay inside the roots; each
 * folder is found once, however many ways lead there. `except`: folders that are not watched although they lie there,
 * with all that is in them.
 */
export async function walkFolders(
  roots: readonly string[],
  except: readonly string[],
  log: Logger,
): Promise<FoundFolder[]> {
  const found = new Map<string, FoundFolder>();
  const realRoots = (await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)))).filter(
    (path) => path !== undefined,
  );
  const left = new Set(await Promise.all(except.map((path) => realpath(path).catch(() => path))));
  const seen = new Set<string>();
  for (const root of roots) {
    const pending = [{ path: root, depth: 0 }];
    // Last of all, so that a folder keeps its own path however many links lead to it.
    const links: typeof pending = [];
    for (let next = pending.pop(); next !== undefined; next = pending.pop() ?? links.pop()) {
      const { path, depth } = next;
      const real = await realpath(path).catch(() => undefined);
      if (
        real === undefined ||
        seen.has(real) ||
        left.has(real) ||
        !realRoots.some((allowed) => isInside(allowed, real))
      )
        continue;
      if (seen.size >= MOST_FOLDERS) {
        log.warn({ root, most: MOST_FOLDERS }, 'there are more folders in the watched ones than are looked at');
        return [...found.values()];
      }
      seen.add(real);
      const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
      if (entries === undefined) {
        // Its own look will say why.
        if (depth > 0) found.set(real, { path, real, fromRoot: relative(root, path), occupied: true });
        continue;
      }
      if (depth > 0)
        found.set(real, {
          path,
          real,
          fromRoot: relative(root, path),
          occupied: entries.some((entry) => entry.isFile() || entry.name === 'processing'),
        });
      if (depth === DEEPEST) continue;
      for (const entry of entries) {
        if ((entry.isDirectory() || entry.isSymbolicLink()) && !isPassedOver(entry.name))
          (entry.isSymbolicLink() ? links : pending).push({ path: join(path, entry.name), depth: depth + 1 });
      }
    }
  }
  return [...found.values()];
}
