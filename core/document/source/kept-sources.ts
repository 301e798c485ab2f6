import { fstatSync, statSync } from 'node:fs';
import type { FileSource } from './file-source.js';

/** Files that stay open for a moment; more than this are opened again. */
const MOST = 64;
const kept = new Map<string, FileSource>();

/**
 * Keeps a file open for whoever opens the same path next, so that what was read for a check need not be read again for the work. Call
 * `dropSources` when the work is done.
 */
export function keepSource(source: FileSource): void {
  if (kept.size >= MOST || kept.has(source.path)) source.close();
  else kept.set(source.path, source);
}

/** Gives the kept file of this path, which is then the caller's to close; undefined when there is none, or when another file is there now. */
export function takeSource(path: string): FileSource | undefined {
  const source = kept.get(path);
  if (source === undefined) return undefined;
  kept.delete(path);
  const [then, now] = [fstatSync(source.fd), statSync(path)];
  if (then.ino === now.ino && then.dev === now.dev && then.size === now.size && then.mtimeMs === now.mtimeMs) return source;
  source.close();
  return undefined;
}

/** Closes what nobody took. */
export function dropSources(): void {
  for (const source of kept.values()) source.close();
  kept.clear();
}
