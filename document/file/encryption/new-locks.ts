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

/** A new encryption and what was written with it, for the check of the result. */
export interface NewLock {
  /** The encryption dictionary. */
  readonly dict: PDFDict;
  readonly streams: readonly LockedStream[];
}

/** Remembers a file that was written with a new encryption, until the run ends. */
export const noteNewLock = (path: string, lock: NewLock): void => rememberInRun(`new lock ${path}`, lock);

/** The new encryption that this run wrote the file with; undefined for other files. */
export const newLockOf = (path: string): NewLock | undefined => recallInRun(`new lock ${path}`);
