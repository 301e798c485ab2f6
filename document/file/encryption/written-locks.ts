import type { PDFDict, PDFRef } from 'pdf-lib';
import { recallInRun, rememberInRun } from '../source/index.js';

/** A stream as it was encrypted and written. */
export interface LockedStream {
  readonly ref: PDFRef;
  /** Its dictionary in the file. */
  readonly dict: PDFDict;
  /** Of its encrypted data in the file. */
  readonly position: number;
  readonly length: number;
  /** CRC-32 of the data before they were encrypted. */
  readonly checksum: number;
}

/** The encryption of a file that was written, and what was written with it, for the check of the result. */
export interface WrittenLock {
  /** The encryption dictionary. */
  readonly dict: PDFDict;
  /** True for a new encryption, false for that of the input. */
  readonly renewed: boolean;
  readonly streams: readonly LockedStream[];
}

/** Remembers how a file was encrypted, until the run ends. */
export const noteLock = (path: string, lock: WrittenLock): void => rememberInRun(`lock ${path}`, lock);

/** Remembers that this run wrote the file without encryption, until it ends. */
export const noteUnlocked = (path: string): void => rememberInRun(`unlocked ${path}`, true);

/** True for a file that this run wrote without encryption. */
export const wasUnlocked = (path: string): boolean => recallInRun(`unlocked ${path}`) === true;

/** How this run encrypted the file, as a whole; undefined for other files and appended updates. */
export const lockOf = (path: string): WrittenLock | undefined => recallInRun(`lock ${path}`);
