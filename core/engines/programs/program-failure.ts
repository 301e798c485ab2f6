import { constants } from 'node:os';
import { InputError, OperationalError } from '@quire/registry/errors';

/** Codes of a shell for a program that could not be run. */
const NOT_RUN: readonly number[] = [126, 127];
/** Signals by which people and other programs end a process; no document causes them. */
const FROM_OUTSIDE: readonly string[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];
const NO_SPACE = /No space left on device|\bENOSPC\b|Disk quota exceeded/i;

/** Returns the name of the signal of an exit code of 128 + number; undefined for other codes. */
function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0];
}

/** Describes how a program ended: `it crashed (signal 11, SIGSEGV)`. */
export function endingOf(code: number): string {
  const signal = signalOf(code);
  if (signal === undefined) return `it ended with code ${code}`;
  const number = `(signal ${code - 128}, ${signal})`;
  if (signal === 'SIGKILL') return `it was killed ${number}, as happens when it needs more time or memory than allowed`;
  if (signal === 'SIGXCPU') return `it needed more processor time than allowed ${number}`;
  if (signal === 'SIGXFSZ') return `it wrote a larger file than allowed ${number}`;
  return FROM_OUTSIDE.includes(signal) ? `it was ended from outside ${number}` : `it crashed ${number}`;
}

/** Returns the error for a program that the system could not run: the error of the start is its cause. */
export function notStarted(program: string, error: unknown): OperationalError {
  const { code = 'no reason is known' } = error as NodeJS.ErrnoException;
  return new OperationalError(
    'PROGRAM_NOT_STARTED',
    { program, detail: `the system refused it (${code})` },
    { cause: error },
  );
}

/** True for a program that was killed, or ended from outside: it may well start the next time. */
export function wasKilled(code: number): boolean {
  const signal = signalOf(code) ?? '';
  return signal === 'SIGKILL' || FROM_OUTSIDE.includes(signal);
}

/** Returns the error for a document on which a program fails. */
export function unprocessable(program: string, detail: string, cause?: unknown): InputError {
  return new InputError('DOCUMENT_UNPROCESSABLE', { field: 'fileInput', program, detail }, [], { cause });
}

/**
 * Returns the error for a program that ended with this code while it processed a document: DOCUMENT_UNPROCESSABLE;
 * PROGRAM_NOT_STARTED or PROGRAM_FAILED where the document cannot be at fault, because the program did not start or was
 * ended from outside; STORAGE_FULL when it reports so on its error output.
 */
export function failureOf(program: string, code: number, stderr: string): Error {
  if (NOT_RUN.includes(code)) return new OperationalError('PROGRAM_NOT_STARTED', { program, detail: endingOf(code) });
  if (FROM_OUTSIDE.includes(signalOf(code) ?? ''))
    return new OperationalError('PROGRAM_FAILED', { program, detail: endingOf(code) });
  if (signalOf(code) === undefined && NO_SPACE.test(stderr)) return new OperationalError('STORAGE_FULL');
  return unprocessable(program, endingOf(code));
}
