import { InputError, isQuireError, OperationalError, type FieldFault, type QuireError } from '@quire/registry';

/** Whether a source or a destination failed. */
export type Side = 'SOURCE' | 'DESTINATION';

/** Returns SOURCE_INVALID or DESTINATION_INVALID for one option; `option` '' is about all of them. */
export function invalid(side: Side, option: string, detail: string, cause?: unknown): InputError {
  const fault: FieldFault = { pointer: option === '' ? '' : `/${option}`, detail };
  return new InputError(
    `${side}_INVALID`,
    { detail: option === '' ? detail : `"${option}" ${detail}` },
    [fault],
    cause === undefined ? {} : { cause },
  );
}

/** Returns SOURCE_UNREACHABLE or DESTINATION_UNREACHABLE. */
export function unreachable(side: Side, detail: string, cause?: unknown): OperationalError {
  return new OperationalError(`${side}_UNREACHABLE`, { detail }, cause === undefined ? {} : { cause });
}

/** Codes of errors of another server, of the network or of this server's store that may be gone at the next attempt. */
const passing: ReadonlySet<string> = new Set([
  'REMOTE_UNREACHABLE',
  'REMOTE_TIMEOUT',
  'REMOTE_ANSWER',
  'SERVICE_NOT_SET_UP',
  'STORE_DOWN',
  'STORAGE_FULL',
]);

/**
 * Runs work with a source or destination. Errors that may pass become SOURCE_UNREACHABLE or DESTINATION_UNREACHABLE,
 * other errors stay what they are.
 */
export async function reaching<T>(side: Side, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw passingError(side, error) ?? error;
  }
}

/** Returns the error as one that may pass; undefined for any other. */
export function passingError(side: Side, error: unknown): OperationalError | undefined {
  return isQuireError(error) && passing.has(error.code) ? unreachable(side, plain(error), error) : undefined;
}

/** Runs a check; a failure becomes SOURCE_INVALID or DESTINATION_INVALID for the option, unless it is one already. */
export async function proving<T>(side: Side, option: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isQuireError(error) || error.code === `${side}_INVALID` || error.code === 'CANCELLED') throw error;
    throw invalid(side, option, `was tried without success: ${plain(error)}`, error);
  }
}

/** The text of an error as part of a sentence. */
function plain({ code, data, message }: QuireError): string {
  const detail = data['detail'];
  const own = code.endsWith('_UNREACHABLE') && !code.startsWith('REMOTE') && typeof detail === 'string';
  return (own ? detail : message).replace(/\.$/, '');
}
