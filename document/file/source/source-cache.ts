import { fstatSync, statSync } from 'node:fs';
import type { FileSource } from './file-source.js';
import { endKeptData, startKeptData } from './kept-data.js';
import { endMemo, startMemo } from './run-memo.js';
import { endNotes, startNotes } from './run-notes.js';
import { endSoundFiles, startSoundFiles } from './sound-files.js';
import { endSpending, startSpending } from './spent-inputs.js';

/** The most files that stay open; further ones are closed and opened again. */
const MAX_CACHED = 600;
const kept = new Map<string, FileSource>();
let keeping = false;

/**
 * From now on, inspected and newly written files stay open for the next reader of the same path: blocks read for a
 * check need not be read again for the work, and opening a file may cost more than reading it. Facts about files are
 * remembered too (`run-notes.ts`, `sound-files.ts`). `spent`: paths of inputs that nobody reads after the run. Ends
 * with `closeCachedSources`.
 */
export function startSourceCache(spent: readonly string[] = []): void {
  keeping = true;
  startNotes();
  startSpending(spent);
  startMemo();
  startSoundFiles();
  startKeptData();
}

/** True when a file that is no longer needed should be cached, not closed. */
export function canCacheSource(): boolean {
  return keeping && kept.size < MAX_CACHED;
}

/** Caches an open file for the next reader of its path, or closes it. */
export function cacheSource(source: FileSource): void {
  if (!canCacheSource() || kept.has(source.path)) source.close();
  else kept.set(source.path, source);
}

/**
 * Removes and returns the cached file of this path, which the caller must close. Undefined when there is none, or when
 * the file on disk has been replaced.
 */
export function takeCachedSource(path: string): FileSource | undefined {
  const source = kept.get(path);
  if (source === undefined) return undefined;
  kept.delete(path);
  const [then, now] = [fstatSync(source.fd), statSync(path)];
  if (then.ino === now.ino && then.dev === now.dev && then.size === now.size && then.mtimeMs === now.mtimeMs)
    return source;
  source.close();
  return undefined;
}

/** Closes all cached files and ends caching. */
export function closeCachedSources(): void {
  keeping = false;
  for (const source of kept.values()) source.close();
  kept.clear();
  endNotes();
  endSpending();
  endMemo();
  endSoundFiles();
  endKeptData();
}
