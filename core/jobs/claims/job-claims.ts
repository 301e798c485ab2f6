import { randomUUID } from 'node:crypto';
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
  /** Called when a job was not started but ended; `written` is undefined if its record had changed. */
  ended(before: JobRecord, written: JobRecord | undefined): void;
}

/** Decides whether a job whose turn has come starts here and now. */
export class JobClaims {
  constructor(private readonly deps: JobClaimsDeps) {}

  /** Returns the record of a job that is this node's to run; undefined if it is not, or has to wait. */
  async claim(jobId: string, turn: Turn): Promise<JobRecord | undefined> {
    // Nearly every job is new; trying this first saves a query on a shared store.
    const fresh =
      turn.needsMet && !this.deps.places.inUse
        ? await this.#start(jobId, { claimId: null, status: 'queued', complete: false, attempts: 0 }, null)
        : undefined;
    return fresh ?? this.#claimKnown(jobId, turn);
  }

  async #start(jobId: string, unchanged: Partial<JobRecord>, place: string | null): Promise<JobRecord | undefined> {
    const { jobs, attached, steady } = this.deps.context;
    const now = steady.now();
    const change = {
      set: {
        status: 'running',
        claimId: randomUUID(),
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
      inc: { attempts: 1 },
    } as const;
    if (attached.records === undefined) return jobs.update(jobId, change, unchanged);
    const taken = await attached.records.take(jobId, change, unchanged);
    return taken && attached.remember(taken);
  }

  async #claimKnown(jobId: string, turn: Turn): Promise<JobRecord | undefined> {
    const { context, places, shared } = this.deps;
    const { jobs, steady, timing, attempts, changes, log } = context;
    const record = await jobs.get(jobId);
    if (!record || record.complete) return undefined;
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
    return places.start(record, turn, (place) => this.#start(jobId, unchanged, place));
  }

  async #fail(record: JobRecord, unchanged: Partial<JobRecord>, error: Error, text?: string): Promise<void> {
    const { context, ended } = this.deps;
    ended(record, await storeEnd(context, record.id, failureFields(context, error, text), unchanged));
    context.changes.notify(record.jobId);
    if (record.callbackState !== undefined) context.changes.ended(record.jobId);
  }
}
