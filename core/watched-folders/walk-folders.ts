import { readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Logger } from '@quire/registry';
import { isInside, isPassedOver } from '../folders/index.js';

/** A folder that may be watched. */
export interface FoundFolder {
  /** The path under which it was found; links are not resolved. */
  readonly path: string;
  /** The path with links resolved. */
  readonly real: string;
  /** Index of its root. */
  readonly root: number;
  /** The path relative to its root. */
  readonly fromRoot: string;
  /** True when it contains something that watched folders contain. */
  readonly occupied: boolean;
}

const DEEPEST = 50;
const MOST_FOLDERS = 20_000;

/**
 * Finds all folders under the roots, to a depth of 50. Links are followed as long as they stay inside the roots; each
 * folder is found once, however many paths lead to it. `except`: folders that are not watched, with everything in them.
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
  for (const [index, root] of roots.entries()) {
    const pending = [{ path: root, depth: 0 }];
    // Visited last, so that a folder keeps its own path however many links lead to it.
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
        log.warn({ root, most: MOST_FOLDERS }, 'the watched folders contain more folders than are scanned');
        return [...found.values()];
      }
      seen.add(real);
      const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
      if (entries === undefined) {
        // Watch it anyway: its own check will report why it cannot be read.
        if (depth > 0) found.set(real, { path, real, root: index, fromRoot: relative(root, path), occupied: true });
        continue;
      }
      if (depth > 0)
        found.set(real, {
          path,
          real,
          root: index,
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
