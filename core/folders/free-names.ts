import { join } from 'node:path';
import { baseName } from '@quire/registry';
import type { DiskCalls } from './disk-calls.js';
import { statsOf } from './durable-files.js';

/** Longest file name of the usual file systems, in bytes. */
const LONGEST_NAME = 255;

/**
 * Appends a suffix to a name, shortening the middle of the name to keep the result within 255 bytes: `a.pdf` and
 * `.report.json`.
 */
export function withSuffix(name: string, suffix: string): string {
  let kept = name;
  while (Buffer.byteLength(kept) + Buffer.byteLength(suffix) > LONGEST_NAME) kept = [...kept].slice(0, -1).join('');
  return kept + suffix;
}

/** Inserts a number before the extension: `a(1).pdf`; 0 returns the name itself. */
export function numbered(name: string, number: number): string {
  if (number === 0) return name;
  const base = baseName(name);
  const extension = name.slice(base.length);
  return Buffer.byteLength(extension) > 40
    ? withSuffix(name, `(${number})`)
    : withSuffix(base, `(${number})${extension}`);
}

/**
 * Finds unused names in folders: neither a file on disk has the name, nor another run of this server that will write
 * one.
 */
export class FreeNames {
  #taken = new Set<string>();
  #next = new Map<string, number>();

  /**
   * Reserves `name` or a similar one; with each of the suffixes in `beside` it must be unused too. Returns the name.
   * Call `release` when the file exists, or will not be written.
   */
  async reserve(folder: string, name: string, beside: readonly string[] = [], disk?: DiskCalls): Promise<string> {
    // Remembers the last number: otherwise each of many files of one name would try all numbers again.
    const key = join(folder, name);
    for (let number = this.#next.get(key) ?? 0; ; number++) {
      const candidate = numbered(name, number);
      const paths = [join(folder, candidate), ...beside.map((suffix) => join(folder, withSuffix(candidate, suffix)))];
      if (paths.some((path) => this.#taken.has(path))) continue;
      for (const path of paths) this.#taken.add(path);
      let free = false;
      try {
        free = (await Promise.all(paths.map((path) => statsOf(path, disk)))).every((stats) => stats === undefined);
      } finally {
        if (!free) for (const path of paths) this.#taken.delete(path);
      }
      if (!free) continue;
      if (this.#next.size > 10_000) this.#next.clear();
      if (number > 0) this.#next.set(key, number);
      return candidate;
    }
  }

  /** Releases a name that `reserve` returned. */
  release(folder: string, name: string, beside: readonly string[] = []): void {
    for (const path of [join(folder, name), ...beside.map((suffix) => join(folder, withSuffix(name, suffix)))])
      this.#taken.delete(path);
  }
}
