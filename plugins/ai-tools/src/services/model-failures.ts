import { isQuireError, OperationalError, type QuireError } from '@quire/registry';
import { notSetUp, REMOTE } from './model-target.js';

/** Name of the failing service in errors, and its section of the settings. */
export interface FailedService {
  readonly remote: string;
  readonly key: string;
  readonly section: string;
}

const LANGUAGE_MODEL: FailedService = { remote: REMOTE, key: 'aiEngine.models.apiKey', section: 'aiEngine.models' };

/** Used if a busy service does not say how long to wait. */
const SECONDS_TO_WAIT = 30;

/**
 * The coded error for what a question ended with. Texts of the service are not repeated: they may quote the question.
 * Unreachable, or with settings that it does not take: SERVICE_NOT_SET_UP; too many calls: REMOTE_BUSY; any other
 * failure: REMOTE_ANSWER (`docs/interface/ai.yml`).
 */
export function failureOf(error: unknown, { remote, key, section } = LANGUAGE_MODEL): Error {
  const coded = codedCause(error);
  if (coded !== undefined) {
    if (coded.code === 'REMOTE_UNREACHABLE') return notSetUp('it does not answer', coded, remote);
    if (coded.code === 'ADDRESS_REFUSED')
      return notSetUp(`its address cannot be called (${String(coded.data['detail'])})`, coded, remote);
    return coded;
  }
  const { status, headers } = error as { status?: unknown; headers?: unknown };
  if (typeof status !== 'number')
    return new OperationalError(
      'REMOTE_ANSWER',
      { remote, detail: 'with an invalid response' },
      { cause: nameOf(error) },
    );
  if (status === 401 || status === 403)
    return notSetUp(`it does not take the key in ${key} (status ${status})`, undefined, remote);
  if (status === 404)
    return notSetUp(`it knows neither the address nor the model in ${section} (status 404)`, undefined, remote);
  if (status === 429 || status === 503)
    return new OperationalError('REMOTE_BUSY', {
      remote,
      seconds: secondsOf(headers instanceof Headers ? headers.get('retry-after') : null),
    });
  return new OperationalError('REMOTE_ANSWER', { remote, detail: `with status ${status}` });
}

/** Retry-After as seconds from now (RFC 9110, 10.2.3); a date is not worth a clock here. */
function secondsOf(value: string | null): number {
  const seconds = value !== null && /^\d{1,6}$/.test(value.trim()) ? Number(value) : SECONDS_TO_WAIT;
  return Math.min(Math.max(seconds, 1), 3600);
}

/** A coded error that the library wrapped. */
function codedCause(error: unknown, depth = 0): QuireError | undefined {
  if (isQuireError(error)) return error;
  return error instanceof Error && depth < 4 ? codedCause(error.cause, depth + 1) : undefined;
}

/** Of an error that may quote texts, its name. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
