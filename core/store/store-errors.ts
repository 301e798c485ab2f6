import { OperationalError, isFullDisk, isQuireError } from '@quire/registry/errors';
import { isDuplicateRecord } from './records.js';

const fullCodes = new Set(['SQLITE_FULL', '14031']);
/**
 * MongoDB says with these codes that a server is away, was elected or stepped down, shuts down or has too much to do,
 * or that it has given up this command: the same may succeed soon.
 */
const passingCodes = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  175, // QueryPlanKilled
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  237, // CursorKilled
  262, // ExceededTimeLimit
  365, // TemporarilyUnavailable
  391, // ReauthenticationRequired
  433, // AdmissionQueueOverflow
  462, // IngressRequestRateLimitExceeded
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11601, // Interrupted
  11602, // InterruptedDueToReplStateChange
  13388, // StaleConfig
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);
/** It will not let us in: Unauthorized, AuthenticationFailed, AtlasError. */
const refusedCodes = new Set([13, 18, 8000]);

/**
 * Gives the coded error for trouble in a store: STORAGE_FULL for a full disk, else STORE_DOWN. Coded errors, clashes
 * and our own faults (a wrong argument, a command that the engine refuses) pass unchanged: retrying does not
 * help against those.
 */
export function asStoreError(error: unknown): unknown {
  if (
    isQuireError(error) ||
    isDuplicateRecord(error) ||
    error instanceof RangeError ||
    error instanceof TypeError ||
    error instanceof SyntaxError
  )
    return error;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (isFullDisk(error) || fullCodes.has(String(code)) || /no space left|database or disk is full/i.test(String(error)))
    return new OperationalError('STORAGE_FULL', {}, { cause: error });
  if (code === 'SQLITE_ERROR' || name === 'DamagedBlob') return error;
  if (name === 'MongoServerError' && !isPassing(error) && !refusedCodes.has(Number(code))) return error;
  return new OperationalError('STORE_DOWN', {}, { cause: error });
}

/** True for an answer of MongoDB that is about the state of a server, and not about the command. */
export function isPassing(error: unknown): boolean {
  const { code, errorLabels } = error as { readonly code?: unknown; readonly errorLabels?: readonly string[] };
  return passingCodes.has(Number(code)) || errorLabels?.some((label) => /^(Retry|Resum)able/.test(label)) === true;
}

/** True where MongoDB refuses to write something that is there already. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 11000;
}

/** Runs work of a store and gives its trouble as coded errors. */
export async function withStoreErrors<R>(work: () => R | Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}
