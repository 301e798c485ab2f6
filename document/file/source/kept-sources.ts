import { fstatSync, statSync } from 'node:fs';
import type { FileSource } from './file-source.js';

/** Files that stay open for a moment; more than this are opened again. */
const MOST = 600;
const kept = new Map<string, FileSource>();
let keeping = false;

/**
 * From now on files that were only looked at, and files that were just written, stay open for whoever opens the same
 * path next: what was read for a check need not be read again for the work, and opening a file may cost more than
 * reading it. Ends with `dropSources`.
 */
export function beginKeeping(): void {
  keeping = true;
}

/** True when whoever is done with a file should leave it open for the next. */
export function isKeeping(): boolean {
  return keeping && kept.size < MOST;
}

/** Leaves a file open for the next who opens its path, or closes it. */
export function keepSource(source: FileSource): void {
  if (!isKeeping() || kept.has(source.path)) source.close();
  else kept.set(source.path, source);
}

/**
 * Gives the kept file of this path, which is then the caller's to close; undefined when there is none, or when another
 * file is there now.
 */
export function takeSource(path: string): FileSource | undefined {
  const source = kept.get(path);
  if (source === undefined) return undefined;
  kept.delete(path);
  const [then, now] = [fstatSync(source.fd), statSync(path)];
  if (then.ino === now.ino && then.dev === now.dev && then.size === now.size && then.mtimeMs === now.mtimeMs)
    return source;
  source.close();
  return undefined;
}

/** Closes what nobody took, and keeps no more. */
export function dropSources(): void {
  keeping = false;
  for (const source of kept.values()) source.close();
  kept.clear();
}
