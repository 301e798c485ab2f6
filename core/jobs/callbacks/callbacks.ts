import { randomUUID } from 'node:crypto';
import { OperationalError, type Clock, type Logger, type Outbound } from '@quire/registry';
import type { SteadyClock } from '../cluster/index.js';
import type { JobCallbacks, JobRecord } from '../index.js';
import { isDuplicateRecord, type Records, type Store } from '../../store/index.js';
import { callbackBody, type CallbackBodyRecord, type CallbackRecord, type CallbackType } from './callback-record.js';
import { sendCallback, type Sending } from './send-callback.js';
import type { CallbackSettings } from './callback-settings.js';
import { groupOf, Turns, type Group } from './turns.js';

export interface CallbackDeps {
  readonly store: Pick<Store, 'records' | 'kind'>;
  readonly outbound: Pick<Outbound, 'call'>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly steady: SteadyClock;
  /** Returns the address of a job's result. */
  resultUrl(jobId: string): string;
  readonly settings: CallbackSettings;
}

/**
 * How often the store is searched for ended jobs that were not announced and for attempts that are due, ms: after a
 * search that found or failed something, and otherwise. A quiet server begins its own deliveries at once and repeats
 * them at their time; what it searches for are those of servers that died.
 */
const POLL_MS = 5000;
const QUIET_POLL_MS = 30_000;
/** Time beyond an attempt's time limit to record how it ended, ms. */
const LEASE_SPARE_MS = 20_000;
const SWEEP_MS = 600_000;
/** How long a finished delivery is kept, ms. */
const KEEP_MS = 86_400_000;
const BATCH = 1000;
/** Deliveries of one group that are read at once. */
const GROUP_BATCH = 10;

/**
 * Reports the ends of jobs to the addresses that were given at their start, at least once each. Deliveries are in the
 * store, so none is lost when a server dies, and only one of several servers sends a delivery at a time. Jobs never
 * wait for their callbacks.
 */
export class Callbacks {
  readonly #deliveries: Records<CallbackRecord>;
  readonly #bodies: Records<CallbackBodyRecord>;
  readonly #active = new Map<string, Promise<void>>();
  readonly #turns = new Turns();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stop = new AbortController();
  #jobs: JobCallbacks | undefined;
  #round: Promise<void> | undefined;
  #again = false;
  #quiet = false;
  #sweepAt = 0;
  #discoverAt = 0;

  constructor(private readonly deps: CallbackDeps) {
    this.#deliveries = deps.store.records<CallbackRecord>('callbacks', {
      keys: ['open', 'nextAtMs', 'owner', 'endedAtMs'],
    });
    this.#bodies = deps.store.records<CallbackBodyRecord>('callback_bodies', { keys: ['createdAtMs'] });
  }

  /** Throws CALLBACKS_FULL when too many callbacks of this owner are pending. */
  async admit(owner: string): Promise<void> {
    // In this order: a job that is handed over between the two counts is in both rather than in neither.
    const armed = (await this.#jobs?.armed(owner)) ?? 0;
    const open = await this.#deliveries.count({ owner, open: true });
    const limit = this.deps.settings.maxPendingPerOwner;
    if (open + armed >= limit)
      throw new OperationalError('CALLBACKS_FULL', { found: open + armed, limit, seconds: 60 });
  }

  /** Returns the delivery for a job; undefined while the job is not complete, and for jobs without a callback. */
  of(jobId: string): Promise<CallbackRecord | undefined> {
    return this.#deliveries.get(jobId);
  }

  /** Starts sending. Call once, when the job service is ready. */
  async start(jobs: JobCallbacks): Promise<void> {
    this.#jobs = jobs;
    jobs.onEnded((jobId) => void this.#jobEnded(jobs, jobId).catch(() => this.#later(() => this.#wake(), POLL_MS)));
    // Only one process uses an embedded store, so every claim in it belongs to a dead process.
    if (this.deps.store.kind === 'embedded')
      for (const { id } of await this.#deliveries.find({ open: true }))
        await this.#deliveries.update(id, { set: { holder: '', untilMs: 0 } });
    this.#every();
  }

  /** Aborts attempts under way; the next start repeats them with the same id. */
  async stop(): Promise<void> {
    this.#stop.abort(new OperationalError('SHUTTING_DOWN'));
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await this.#round;
    await Promise.all(this.#active.values());
  }

  #every(): void {
    this.#wake();
    this.#later(() => this.#every(), this.#quiet ? QUIET_POLL_MS : POLL_MS);
  }

  #later(work: () => void, ms: number): void {
    if (this.#stop.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer.unref());
  }

  /** Searches the store, one search at a time; a call during a search leads to one more search. */
  #wake(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#round !== undefined) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#round = this.#look()
      .catch((error: unknown) => {
        this.#quiet = false;
        this.deps.log.debug({ error: String(error) }, 'the search for pending callbacks failed and will be repeated');
      })
      .finally(() => {
        this.#round = undefined;
        if (this.#again) this.#wake();
      });
  }

  async #look(): Promise<void> {
    const { steady } = this.deps;
    const ended = (await this.#jobs?.ended(BATCH)) ?? [];
    for (const record of ended) await this.#handOver(record);
    const now = steady.now();
    const due = now >= this.#discoverAt ? await this.#discover(now) : 0;
    this.#quiet = ended.length + due === 0;
    await this.#serve(now);
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + SWEEP_MS;
    await this.#deliveries.deleteMany({ open: false }, { atMost: { endedAtMs: now - KEEP_MS } });
    // Bodies are deleted with the end of their delivery; these were left by servers that died in between. No delivery
    // lasts this long.
    await this.#bodies.deleteMany(
      {},
      {
        atMost: {
          createdAtMs:
            now - 2 * KEEP_MS - this.deps.settings.retryMs.reduce((sum, ms) => sum + Math.max(ms, KEEP_MS), 0),
        },
      },
    );
  }

  /**
   * Finds all groups with something to send: jobs that another server handed over, and attempts that are due. Returns
   * the number of deliveries.
   */
  async #discover(now: number): Promise<number> {
    this.#discoverAt = now + POLL_MS;
    for (let skip = 0; ; skip += BATCH) {
      const due = await this.#deliveries.find(
        { open: true },
        {
          atMost: { nextAtMs: now, untilMs: now },
          sort: [{ field: 'nextAtMs', order: 'ascending' }],
          limit: BATCH,
          skip,
        },
      );
      for (const delivery of due) this.#turns.wait(groupOf(delivery));
      if (due.length < BATCH) return skip + due.length;
    }
  }

  /** Starts attempts until all places are taken, in fair turns. */
  async #serve(now: number): Promise<void> {
    const lists = new Map<Group, CallbackRecord[]>();
    for (
      let group = this.#turns.next();
      group !== undefined && !this.#stop.signal.aborted;
      group = this.#turns.next()
    ) {
      let list = lists.get(group);
      if (list === undefined) {
        this.#turns.look(group);
        const due = await this.#deliveries.find(
          { open: true, ...group },
          {
            atMost: { nextAtMs: now, untilMs: now },
            sort: [{ field: 'nextAtMs', order: 'ascending' }],
            limit: GROUP_BATCH,
          },
        );
        lists.set(group, (list = due.filter(({ id }) => !this.#active.has(id))));
      }
      const delivery = list.shift();
      if (delivery !== undefined) this.#send(delivery, this.#turns.take(group));
      else if (!this.#turns.rest(group)) lists.delete(group);
    }
  }

  async #jobEnded(jobs: JobCallbacks, jobId: string): Promise<void> {
    const record = this.#stop.signal.aborted ? undefined : await jobs.endedJob(jobId);
    if (record === undefined) return;
    await this.#handOver(record);
    this.#wake();
  }

  /**
   * Creates the delivery for a job's end. If two servers do this, or one repeats it after a crash, there is still only
   * one delivery.
   */
  async #handOver(record: JobRecord): Promise<void> {
    const { steady, clock, log } = this.deps;
    const jobs = this.#jobs;
    if (jobs === undefined || record.callback === undefined) return;
    const type: CallbackType =
      record.status === 'succeeded' ? 'job.succeeded' : record.status === 'cancelled' ? 'job.cancelled' : 'job.failed';
    const createdAtMs = steady.now();
    let to: string;
    try {
      to = new URL(jobs.open(record.id, record.callback).url).origin;
    } catch {
      log.warn({ jobId: record.jobId }, 'the callback of a job was encrypted with another key and is dropped');
      return jobs.handed(record.id);
    }
    const text = callbackBody(
      record,
      type,
      type === 'job.succeeded' ? this.deps.resultUrl(record.jobId) : null,
      clock.now(),
    );
    await this.#once(this.#bodies.insert({ id: record.id, text, createdAtMs }));
    const first = await this.#once(
      this.#deliveries.insert({
        id: record.id,
        owner: record.owner,
        webhookId: `msg_${randomUUID()}`,
        type,
        to,
        sealed: record.callback,
        open: true,
        status: 'pending',
        attempts: [],
        nextAtMs: createdAtMs,
        holder: '',
        untilMs: 0,
        createdAtMs,
        endedAtMs: null,
      }),
    );
    // Another server was quicker, and may have sent it already.
    if (!first && (await this.#deliveries.get(record.id))?.open !== true) await this.#bodies.delete(record.id);
    this.#turns.wait(groupOf({ owner: record.owner, to }));
    await jobs.handed(record.id);
  }

  /** Resolves to false when the record exists already. */
  #once(insert: Promise<unknown>): Promise<boolean> {
    return insert.then(
      () => true,
      (error: unknown) => {
        if (!isDuplicateRecord(error)) throw error;
        return false;
      },
    );
  }

  #send(delivery: CallbackRecord, release: () => void): void {
    const done = this.#attempt(delivery)
      .catch((error: unknown) =>
        this.deps.log.warn(
          { jobId: delivery.id, error: String(error) },
          'the outcome of a callback could not be saved; it will be sent again',
        ),
      )
      .finally(() => {
        this.#active.delete(delivery.id);
        release();
        // The group may have more to send, although nothing was found for it while these were under way.
        this.#turns.wait(groupOf(delivery));
        this.#wake();
      });
    this.#active.set(delivery.id, done);
  }

  async #attempt({ id, holder: before, untilMs }: CallbackRecord): Promise<void> {
    const { steady, settings, outbound, clock, log } = this.deps;
    const holder = randomUUID();
    const claimed = await this.#deliveries.update(
      id,
      { set: { holder, untilMs: steady.now() + settings.timeoutMs + LEASE_SPARE_MS } },
      { open: true, holder: before, untilMs },
    );
    if (claimed === undefined) return;
    const sending: Sending = {
      delivery: claimed,
      text: (await this.#bodies.get(id))?.text,
      open: (sealed) => this.#jobs?.open(id, sealed),
      settings,
      outbound,
      clock,
      signal: this.#stop.signal,
    };
    const end = await sendCallback(sending);
    const free = { holder: '', untilMs: 0 };
    if (end === 'interrupted') return void (await this.#deliveries.update(id, { set: free }, { holder }));
    const { attempt, next } = end;
    const attempts = [...claimed.attempts, attempt];
    const now = steady.now();
    const fields =
      next === undefined
        ? {
            open: false,
            status: attempt.error === null ? ('delivered' as const) : ('failed' as const),
            nextAtMs: null,
            endedAtMs: now,
            sealed: null,
          }
        : { nextAtMs: now + next };
    await this.#deliveries.update(id, { set: { ...free, attempts, ...fields } }, { holder });
    if (next === undefined) await this.#bodies.delete(id);
    else if (next < KEEP_MS)
      this.#later(() => {
        this.#turns.wait(groupOf(claimed));
        this.#wake();
      }, next + 5);
    // Never log the address: it may contain a secret.
    if (attempt.error !== null)
      log.info(
        { jobId: id, attempt: attempt.number, status: attempt.status, last: next === undefined },
        'a callback was not accepted',
      );
  }
}
