import { isFullDisk, isQuireError } from '@quire/registry';

/** Error codes that are not caused by the inputs: the work waits until the situation has changed. */
const waiting: ReadonlySet<string> = new Set([
  'QUEUE_FULL',
  'STORE_DOWN',
  'STORAGE_FULL',
  'SHUTTING_DOWN',
  'CANCELLED',
  'NO_NODE',
  'PROGRAM_MISSING',
  'PROGRAM_NOT_STARTED',
  'SERVICE_NOT_SET_UP',
]);

/** Returns true for an error that is not caused by the inputs: they stay where they are and are processed later. */
export function isWaiting(error: unknown): boolean {
  return isQuireError(error)
    ? waiting.has(error.code) || error.row.family === 'access'
    : isFullDisk(error) ||
        /^(EACCES|EPERM|EROFS|EIO|ESTALE|EMFILE|ENFILE)$/.test(
          (error as NodeJS.ErrnoException | undefined)?.code ?? '',
        );
}
