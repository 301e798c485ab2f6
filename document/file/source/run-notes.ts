import { FileSource } from './file-source.js';

/** Faults of a file, as sentences for reports. */
export interface FileFaults {
  /** Faults that were corrected without losing content. */
  readonly repaired: readonly string[];
  readonly lost: readonly string[];
}

/** What is known about the damage of a file. */
export interface KnownDamage {
  /** Object and generation numbers of damaged streams. */
  readonly streams: readonly (readonly [number, number])[];
  /** True when only a rewritten file is sound, and the file may be rewritten. */
  readonly rewrite: boolean;
}

interface RunNotes {
  readonly faults: Map<string, FileFaults>;
  readonly damage: Map<string, KnownDamage>;
}

const damageOfBytes = new WeakMap<Uint8Array, KnownDamage>();
let notes: RunNotes | undefined;

/** Starts remembering facts about files by their paths. A process works on one run at a time. */
export function startNotes(): void {
  notes = { faults: new Map(), damage: new Map() };
}

/** Forgets everything. */
export function endNotes(): void {
  notes = undefined;
}

/** True while facts are remembered by path. */
export const takesNotes = (): boolean => notes !== undefined;

/** Remembers the damage of a file that was searched for it. */
export function noteDamage(source: Uint8Array | FileSource, damage: KnownDamage): void {
  if (source instanceof FileSource) notes?.damage.set(source.path, damage);
  else damageOfBytes.set(source, damage);
}

/** Returns the damage of a file; undefined when it was not searched. */
export function knownDamage(source: Uint8Array | FileSource): KnownDamage | undefined {
  return source instanceof FileSource ? notes?.damage.get(source.path) : damageOfBytes.get(source);
}

/** Remembers faults that were found while a file was read for an operation. */
export function noteFaults(path: string, faults: FileFaults): void {
  if (notes === undefined || faults.repaired.length + faults.lost.length === 0) return;
  const before = notes.faults.get(path);
  notes.faults.set(path, {
    repaired: faults.repaired.length > 0 ? faults.repaired : (before?.repaired ?? []),
    lost: faults.lost.length > 0 ? faults.lost : (before?.lost ?? []),
  });
}

/** Returns the faults of each file, by path, that were found since the run began. */
export const faultsInRun = (): ReadonlyMap<string, FileFaults> => notes?.faults ?? new Map<string, FileFaults>();
