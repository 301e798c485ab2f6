import { isFullDisk, isQuireError, OperationalError, type QuireError } from '@quire/registry';
import { isWaiting } from '../../operations/pipelines/index.js';
import type { AutomationContent } from '../automations/model.js';
import type { ItemRecord } from '../items/item-record.js';
import { reasonOf, type ItemChange } from '../items/item-store.js';

/** The work on a file has ended without an error: another node has it, or it has left the source. */
export class WorkLeft extends Error {
  /** `settled`: the file is where it belongs; otherwise somebody has to look at it again. */
  constructor(readonly settled = false) {
    super('the work was left');
    this.name = 'WorkLeft';
  }
}

/** The file is parked for this reason. */
export class ParkedError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ParkedError';
  }
}

/** The automation cannot run now, whatever the file: its files wait. */
export class NotNow extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'NotNow';
  }
}

const LONGEST_PAUSE_MS = 3_600_000;
/** Pauses while the server cannot work at all. */
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 300_000;
/** A random part, so that files that failed together are not tried again together. */
const SPREAD = 0.2;

/** A mail server that is starting rejects a password that is right, and a wrong one is no fault of a file either. */
const OF_SOURCE: ReadonlySet<string> = new Set(['SOURCE_UNREACHABLE', 'SOURCE_INVALID']);

type ItemEnd = ItemChange & Required<Pick<ItemChange, 'state' | 'reason'>>;

/** What becomes of a file whose work failed. */
export function endOf(
  item: Pick<ItemRecord, 'state' | 'failures'>,
  error: unknown,
  { times, firstMs }: AutomationContent['retry'],
  now: number,
): ItemEnd {
  const reason = describe(error);
  const failures = item.failures + 1;
  const state = item.state === 'delivering' ? 'delivering' : 'waiting';
  const again = (pauseMs: number, counted = failures): ItemEnd => ({
    state,
    reason,
    failures: counted,
    claim: '',
    since: now,
    nextAt: now + Math.round(pauseMs * (1 + Math.random() * SPREAD)),
  });
  // This is written when the store has answered again: a pause that grows would only be lost time.
  if (isQuireError(error) && error.code === 'STORE_DOWN') return again(FIRST_WAIT_MS, item.failures);
  if (waits(error)) return again(Math.min(FIRST_WAIT_MS * 2 ** Math.min(item.failures, 10), LONGEST_WAIT_MS));
  if (passes(error) && failures <= times) return again(Math.min(firstMs * 4 ** (failures - 1), LONGEST_PAUSE_MS));
  return { state: 'parked', reason, failures, claim: '', since: now, nextAt: now };
}

/** Whether it is not the file's fault: it waits as long as it takes. */
function waits(error: unknown): boolean {
  if (error instanceof NotNow) return true;
  return isWaiting(error) || (isQuireError(error) && OF_SOURCE.has(String(error.code)));
}

/** Whether the same may succeed later. */
function passes(error: unknown): boolean {
  return isQuireError(error) && (error.row.retryable === true || String(error.code) === 'DESTINATION_UNREACHABLE');
}

/** Whether the account of an automation is disabled or gone. */
export function isOwnerGone(error: unknown): boolean {
  return isQuireError(error) && error.code === 'ACCOUNT_DISABLED';
}

/** What has happened, and what to do. */
export function detailOf(error: QuireError): string {
  return isOwnerGone(error)
    ? 'The owner of the automation is disabled or was deleted, so its files wait: somebody of the team who may edit ' +
        'automations has to save it, and becomes its owner.'
    : error.message;
}

function describe(error: unknown): { readonly code: string; readonly detail: string } {
  if (error instanceof ParkedError || error instanceof NotNow) return reasonOf(error.code, error.message);
  if (isQuireError(error)) return reasonOf(error.code, detailOf(error));
  if (isFullDisk(error)) return describe(new OperationalError('STORAGE_FULL'));
  return reasonOf('INTERNAL', 'An unexpected error occurred; the log of the server has it.');
}
