import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { baseName } from '@quire/registry';

/** Longest file name of the usual file systems, in bytes. */
const LONGEST_NAME = 255;

/** A name with a suffix behind it, its middle cut so that the whole fits into 255 bytes: `a.pdf` and `.report.json`. */
export function withSuffix(name: string, suffix: string): string {
  let kept = name;
  while (Buffer.byteLength(kept) + Buffer.byteLength(suffix) > LONGEST_NAME) kept = [...kept].slice(0, -1).join('');
  return kept + suffix;
}

/** The name with a number before its extension: `a(1).pdf`; 0 gives the name itself. */
export function numbered(name: string, number: number): string {
  if (number === 0) return name;
  const base = baseName(name);
  const extension = name.slice(base.length);
  return Buffer.byteLength(extension) > 40
    ? withSuffix(name, `(${number})`)
    : withSuffix(base, `(${number})${extension}`);
}

/** True where nothing has this path, not even a broken link. Rejects when the folder cannot be looked into. */
async function isFree(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

/**
 * Gives names in folders that nobody has: no file on disk, and no other run of this server that is about to write one.
 */
export class FreeNames {
  #taken = new Set<string>();
  #next = new Map<string, number>();

  /**
   * Reserves a name like `name`; `beside` are suffixes under which the same name must be free too. Gives the name;
   * `release` frees it once the file is there, or will not come.
   */
  async reserve(folder: string, name: string, beside: readonly string[] = []): Promise<string> {
    // Many files of one name would otherwise look at all their numbers each time.
    const key = join(folder, name);
    for (let number = this.#next.get(key) ?? 0; ; number++) {
      const candidate = numbered(name, number);
      const paths = [join(folder, candidate), ...beside.map((suffix) => join(folder, withSuffix(candidate, suffix)))];
      if (paths.some((path) => this.#taken.has(path))) continue;
      for (const path of paths) this.#taken.add(path);
      let free = false;
      try {
        free = (await Promise.all(paths.map(isFree))).every(Boolean);
      } finally {
        if (!free) for (const path of paths) this.#taken.delete(path);
      }
      if (!free) continue;
      if (this.#next.size > 10_000) this.#next.clear();
      if (number > 0) this.#next.set(key, number);
      return candidate;
    }
  }

  /** Frees what `reserve` took. */
  release(folder: string, name: string, beside: readonly string[] = []): void {
    for (const path of [join(folder, name), ...beside.map((suffix) => join(folder, withSuffix(name, suffix)))])
      this.#taken.delete(path);
  }
}
