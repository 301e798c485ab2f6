import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import type { FileSource } from './file-source.js';

/** Identities of the files that this run found sound, or wrote itself. A process works on one run at a time. */
let sound: Set<string> | undefined;

/** Starts remembering sound files. */
export function startSoundFiles(): void {
  sound = new Set();
}

/** Forgets them. */
export function endSoundFiles(): void {
  sound = undefined;
}

/** A file that was replaced or written since has another identity; under another name it keeps its own. */
const identityOf = ({ ino, size, mtimeNs }: BigIntStats): string => `${ino}-${size}-${mtimeNs}`;

/** Remembers a file that was searched without finding damage, or that our writer has just written. */
export function noteSound(source: Uint8Array | FileSource | { readonly fd: number }): void {
  if (sound !== undefined && 'fd' in source) sound.add(identityOf(fstatSync(source.fd, { bigint: true })));
}

/**
 * The identity of a file that was remembered and has not changed since; undefined for all others. Another process can
 * compare it with `isStill`.
 */
export function soundIdentity(path: string): string | undefined {
  const identity = identityOf(statSync(path, { bigint: true }));
  return sound?.has(identity) === true ? identity : undefined;
}

/** True if the file at this path has this identity. */
export function isStill(identity: string, path: string): boolean {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found !== undefined && identityOf(found) === identity;
}
