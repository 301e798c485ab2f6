import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isQuireError } from '@quire/registry/errors';
import type { Needs } from '../cluster/index.js';
import { failureFields, stoppedTooOften, storeEnd } from '../job-endings.js';
import type { JobContext } from '../job-options.js';
import type { JobPlaces } from './job-places.js';
import type { JobRecord } from '../job-record.js';
import { noNode } from '../job-waiting.js';
import type { Turn } from '../queue/agenda-queue.js';

export interface JobClaimsDeps {
  readonly context: JobContext;
  readonly places: JobPlaces;
  /** True if other servers share the store: a running job may belong to one of them. */
  readonly shared: boolean;
  /** Returns the needs that this node does not meet. */
  unmetHere(needs: Needs): Needs;
  /** True when no further job may start. */
  stopping(): boolean;
  /** Called when a job was not started but ended; `written` is undefined if its record had changed. */
  ended(before: JobRecord, written: JobRecord | undefined): void;
}

/** A turn's attempts to claim its job. */
interface OneClaim {
  readonly jobId: string;
  readonly turn: Turn;
  /** Ids of the claims that were sent to the store. */
  readonly ids: Set<string>;
}

const ASK_AGAIN_MS = 500;

/** Decides whether a job whose turn has come starts here and now. */
export class JobClaims {
  constructor(private readonly deps: JobClaimsDeps) {}

  /** Returns the record of a job that is this node's to run; undefined if it is not, or has to wait. */
  async claim(jobId: string, turn: Turn): Promise<JobRecord | undefined> {
    const one: OneClaim = { jobId, turn, ids: new Set() };
    try {
      // Nearly every job is new; trying this first saves a query on a shared store.
      const fresh =
        turn.needsMet && !this.deps.places.inUse
          ? await this.#start(one, { claimId: null, status: 'queued', complete: false, attempts: 0 }, null)
          : undefined;
      return fresh ?? (await this.#claimKnown(one));
    } catch (error) {
      return this.#claimUnanswered(one, error);
    }
  }

  /**
   * The store may have written a claim without an answer, when it fails over. This node asks until it knows, while the
   * lock of the queue is its own: other nodes would wait for the dead claim, and count it as a start.
   */
  async #claimUnanswered(one: OneClaim, error: unknown): Promise<JobRecord | undefined> {
    const until = performance.now() + this.deps.context.timing.lockLifetimeMs / 2;
    let last = error;
    while (one.ids.size > 0 && isQuireError(last) && last.code === 'STORE_DOWN') {
      if (this.deps.stopping() || performance.now() > until) break;
      await delay(ASK_AGAIN_MS, undefined, { ref: false });
      try {
        return await this.#claimKnown(one);
      } catch (again) {
        last = again;
      }
    }
    throw last;
  }

  async #start(
    { jobId, ids }: OneClaim,
    unchanged: Partial<JobRecord>,
    place: string | null,
    isCounted = true,
  ): Promise<JobRecord | undefined> {
    const { jobs, attached, steady } = this.deps.context;
    const now = steady.now();
    const claimId = randomUUID();
    ids.add(claimId);
    const change = {
      set: {
        status: 'running',
        claimId,
        place,
        attempt: null,
        notes: [],
        strandedAtMs: null,
        startedAtMs: now,
        heartbeatAtMs: now,
        progress: 0,
        step: null,
        facts: null,
      },
      inc: { attempts: isCounted ? 1 : 0 },
    } as const;
    if (attached.records === undefined) return jobs.update(jobId, change, unchanged);
    const taken = await attached.records.take(jobId, change, unchanged);
    return taken && attached.remember(taken);
  }

  async #claimKnown(one: OneClaim): Promise<JobRecord | undefined> {
    const { jobId, turn, ids } = one;
    const { context, places, shared } = this.deps;
    const { jobs, steady, timing, attempts, changes, log } = context;
    const record = await jobs.get(jobId);
    if (!record || record.complete) return undefined;
    // An own claim whose answer was lost: nobody has begun.
    if (record.status === 'running' && ids.has(record.claimId ?? ''))
      return this.#start(one, { claimId: record.claimId, complete: false }, record.place ?? null, false);
    const silentMs = steady.now() - (record.heartbeatAtMs ?? 0);
    if (record.status === 'running' && shared && silentMs < timing.lockLifetimeMs) {
      // Its server is running, or has been silent for less than the lifetime of a lock. Look again when the lock has
      // expired.
      turn.again(timing.lockLifetimeMs - silentMs + 50);
      return undefined;
    }
    const unchanged = { claimId: record.claimId ?? null, status: record.status, complete: false };
    if (record.attempts >= attempts) {
      const text =
        `The server stopped while it was running this job (${record.attempts} times), so the job is not tried ` +
        'again.';
      log.warn({ jobId, attempts: record.attempts }, 'a job failed after too many starts');
      await this.#fail(record, unchanged, stoppedTooOften(record.attempts), text);
      return undefined;
    }
    const missing = this.deps.unmetHere(record.needs ?? []);
    if (missing.length > 0) {
      // In a cluster it waits for a suitable node; on a single server there is no other.
      if (shared) {
        turn.again(timing.pollMs);
        changes.notify(jobId);
      } else await this.#fail(record, unchanged, noNode(missing));
      return undefined;
    }
    return places.start(record, turn, (place) => this.#start(one, unchanged, place));
  }

  async #fail(record: JobRecord, unchanged: Partial<JobRecord>, error: Error, text?: string): Promise<void> {
    const { context, ended } = this.deps;
    ended(record, await storeEnd(context, record.id, failureFields(context, error, text), unchanged));
    context.changes.notify(record.jobId);
    if (record.callbackState !== undefined) context.changes.ended(record.jobId);
  }
}
