import { setTimeout as delay } from 'node:timers/promises';
import type { Agenda, InMemoryNotificationChannel, Job, JobId, JobWithId } from 'agenda';
import { digestOf, type Needs } from '../cluster/index.js';
import { withStoreErrors } from '../../store/index.js';
import { HeldOwners } from './held-owners.js';
import { createQueueBackend, type QueueBackend, type QueueBackendDeps, type WaitingRow } from './queue-backend.js';
import type { RowData } from './row-data.js';
import { nextLookMs, SearchPace } from './search-pace.js';

/** One turn of a job at the front of the queue. */
export interface Turn {
  /** True if the row lists the job's needs, and this node meets them. */
  readonly needsMet: boolean;
  /** Renews the lock; never rejects. */
  touch(): Promise<void>;
  /** Puts the job back when this turn ends, to run again after the delay. */
  again(delayMs: number): void;
  /**
   * Puts the job back where it was, and takes no job of its owner for this time, or until another turn of the owner
   * ends on this node.
   */
  hold(delayMs: number): void;
}

/** Intervals of the queue. Tests shorten them. */
export interface QueueTiming {
  /** A lock that was not renewed for this long is free again, ms. */
  readonly lockLifetimeMs: number;
  /** How often the store is searched for work that was not announced, ms. */
  readonly pollMs: number;
}

const jobName = 'quire-job';
/** Shortest time between two log lines about errors, ms. */
const troubleEveryMs = 30_000;
/**
 * Nodes that hear of a new job look for it at different times, so that the first takes it before most of the others
 * have asked: within this time for each node, ms, and the greatest.
 */
const spreadMs = 5;
const mostSpreadMs = 500;
/** Most looks that wait; each finds whatever is first in the queue. */
const mostLooks = 100;
const mostOwn = 1000;
/**
 * Runs are scheduled a year in the past, in order of arrival, so that setting the wall clock back cannot delay a job.
 */
const backdateMs = 366 * 24 * 3_600_000;

type Work = (jobId: string, turn: Turn) => Promise<void>;

/**
 * Uses Agenda as a queue of job ids. Agenda is loaded when it is needed: by `open` on a shared store, where other nodes
 * add rows, and by the first row on an embedded store, so that a server without jobs does not keep it in memory.
 */
export class AgendaQueue {
  readonly #deps: QueueBackendDeps;
  readonly #concurrency: number;
  readonly #timing: QueueTiming;
  readonly #turns = new Set<Promise<void>>();
  readonly #held = new HeldOwners();
  /** Keyed by Agenda's own object: one row can have two turns after a lost lock. */
  readonly #ends = new Map<object, () => void>();
  /** The latest jobs that this node has added itself and will hear of. */
  readonly #own = new Set<string>();
  /** Looks for jobs that other nodes have added, by job. */
  readonly #looks = new Map<string, NodeJS.Timeout>();
  readonly #pace: SearchPace;
  #work: Work | undefined;
  #loading: Promise<Agenda> | undefined;
  #agenda: Agenda | undefined;
  #backend: QueueBackend | undefined;
  #begun = false;
  #channel: InMemoryNotificationChannel | undefined;
  #closing = false;
  #endedAt = -Infinity;
  #nextLook: NodeJS.Timeout | undefined;
  #warnedAt = -Infinity;

  constructor(deps: QueueBackendDeps, concurrency: number, timing: QueueTiming) {
    this.#deps = { ...deps, held: this.#held };
    this.#concurrency = Math.max(1, concurrency);
    this.#timing = timing;
    this.#pace = new SearchPace(() => (deps.backplane.connected ? deps.backplane.slowJobsMs : 0));
  }

  get started(): boolean {
    return this.#agenda !== undefined;
  }

  /** Sets what a turn does, and connects to a shared store; nothing runs before `begin`. */
  async open(work: Work): Promise<void> {
    this.#work = work;
    if (this.#deps.store.mongo !== undefined) await this.#loaded(work);
  }

  /** Starts taking jobs. */
  async begin(): Promise<void> {
    this.#begun = true;
    await this.#agenda?.start();
  }

  /**
   * Puts a job in the queue and starts it at once if there is a free place. `order` (ms of the store's time) decides
   * which job comes first; only nodes that meet the needs take it; jobs of nobody have the owner ''. Rejects with
   * STORE_DOWN; the row may still have been written.
   */
  async add(jobId: string, order: number, needs: Needs = [], owner = ''): Promise<void> {
    const agenda = await this.#ready();
    if (!agenda) return;
    const data: RowData = {
      jobId,
      needs,
      ...(needs.length > 0 ? { kind: digestOf(needs) } : {}),
      ...(owner === '' ? {} : { owner, order }),
    };
    if (this.#deps.backplane.reportsOwn) this.#willHearOf(jobId);
    await withStoreErrors(() =>
      agenda
        .create(jobName, data)
        .schedule(new Date(order - backdateMs))
        .save(),
    );
    this.#deps.backplane.announce('job-added', jobId);
  }

  /** Remembered before it is written: a change stream may report it before this node knows that it is. */
  #willHearOf(jobId: string): void {
    this.#own.add(jobId);
    const [oldest = ''] = this.#own;
    if (this.#own.size > mostOwn) this.#own.delete(oldest);
  }

  /** Another node has added this job, or any if it is not named; `nodes` hear of it. */
  addedElsewhere(jobId = '', nodes = 1): void {
    if (this.#own.delete(jobId) || !this.#begun || this.#looks.has(jobId) || this.#looks.size >= mostLooks) return;
    const wait = Math.random() * Math.min(mostSpreadMs, (nodes - 1) * spreadMs);
    const look = (): void => {
      this.#looks.delete(jobId);
      this.#look(jobId);
    };
    this.#looks.set(jobId, setTimeout(look, wait).unref());
  }

  /** Another node works on this job, so there is no need to look for it. */
  takenElsewhere(jobId: string): void {
    clearTimeout(this.#looks.get(jobId));
    this.#looks.delete(jobId);
  }

  /** Removes a job from the queue; a running one keeps running. */
  async remove(jobId: string): Promise<void> {
    await this.#agenda?.cancel({ name: jobName, data: { jobId } });
  }

  async removeRow(rowId: string): Promise<void> {
    await this.#agenda?.cancel({ id: rowId });
  }

  /** Empties the queue. */
  async purge(): Promise<void> {
    await (await this.#ready())?.cancelAll();
  }

  /** All rows of a shared store, in any order; there can be a hundred thousand. */
  async *rows(): AsyncGenerator<WaitingRow> {
    yield* this.#backend?.rows(jobName) ?? [];
  }

  /** Takes no more jobs; running ones continue. */
  async stop(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearTimeout(this.#nextLook);
    this.#held.releaseAll();
    for (const look of this.#looks.values()) clearTimeout(look);
    await this.#agenda?.stop(false);
  }

  /** Waits until the rows of all turns are written, at most `timeoutMs`: the store may be unreachable. */
  async settled(timeoutMs: number): Promise<void> {
    const end = new AbortController();
    const all = Promise.allSettled(this.#turns)
      .then(() => this.#backend?.settled())
      .then(() => end.abort());
    await Promise.race([all, delay(timeoutMs, undefined, { signal: end.signal }).catch(() => undefined)]);
  }

  /** Undefined before `open`, and while a shared store has not been reached. */
  async #ready(): Promise<Agenda | undefined> {
    if (this.#work === undefined || this.#deps.store.mongo !== undefined) return this.#agenda;
    return this.#loaded(this.#work);
  }

  /** Loads Agenda once; the next call tries again after a failure. */
  #loaded(work: Work): Promise<Agenda> {
    this.#loading ??= this.#load(work).catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #load(work: Work): Promise<Agenda> {
    const { Agenda, InMemoryNotificationChannel } = await import('agenda');
    const backend = await createQueueBackend(this.#deps, this.#pace);
    this.#backend = backend;
    await backend.connect();
    this.#channel = calmChannel(new InMemoryNotificationChannel(), this.#pace);
    const agenda = new Agenda({
      backend,
      notificationChannel: this.#channel,
      processEvery: this.#timing.pollMs,
      maxConcurrency: this.#concurrency,
      defaultLockLifetime: this.#timing.lockLifetimeMs,
    });
    // Without a listener, a lost store would end the process.
    agenda.on('error', (error) => this.#trouble(error));
    // No more locks than places: a locked job that waits would outlive its lock, and other servers could not take it.
    agenda.define<RowData>(jobName, (job) => this.#turn(job, work), {
      concurrency: this.#concurrency,
      lockLimit: this.#concurrency,
      lockLifetime: this.#timing.lockLifetimeMs,
    });
    agenda.on(`complete:${jobName}`, (job) => this.#completed(job));
    await agenda.ready;
    this.#agenda = agenda;
    if (this.#begun && !this.#closing) await agenda.start();
    return agenda;
  }

  async #turn(job: Job<RowData>, work: (jobId: string, turn: Turn) => Promise<void>): Promise<void> {
    let end = (): void => undefined;
    const bookkeeping = new Promise<void>((resolve) => (end = resolve));
    let backInMs: number | undefined;
    this.#turns.add(bookkeeping);
    this.#ends.set(job, () => {
      this.#turns.delete(bookkeeping);
      if (backInMs !== undefined) this.#back(job.attrs.data.jobId, backInMs);
      end();
    });
    const again = (delayMs: number): void => {
      backInMs = delayMs;
      job.attrs.nextRunAt = new Date(Date.now() + delayMs);
    };
    const { owner, order } = job.attrs.data;
    let heldMs: number | undefined;
    try {
      await work(job.attrs.data.jobId, {
        needsMet: this.#needsMet(job.attrs.data),
        touch: () => job.touch().catch(() => undefined),
        again,
        hold: (delayMs) => {
          if (owner === undefined || order === undefined) return again(delayMs);
          heldMs = delayMs;
          job.attrs.nextRunAt = new Date(order - backdateMs);
        },
      });
      if (owner === undefined) return;
      if (heldMs === undefined) this.#held.release(owner);
      else if (!this.#closing) this.#held.hold(owner, heldMs, () => this.#look(job.attrs._id as JobId));
    } catch (error) {
      // The runner records failures of jobs itself; an error here means that recording failed.
      this.#deps.log.warn(
        { jobId: job.attrs.data.jobId, error: String(error) },
        'a job could not be recorded and will be tried again',
      );
      again(5000);
    }
  }

  /** A job is in the queue again: this node looks for it when it may run, and other nodes at once if it may run now. */
  #back(jobId: string, delayMs: number): void {
    if (delayMs <= 0) this.#deps.backplane.announce('job-added', jobId);
    else setTimeout(() => this.#look(jobId), delayMs).unref();
  }

  /** Whether the row lists needs that this node meets: on a shared store it is not taken otherwise. */
  #needsMet({ needs }: RowData): boolean {
    return needs !== undefined && (this.#deps.store.mongo !== undefined || this.#deps.takes(needs));
  }

  /** Every poll of a lost store fails; one log line now and then is enough. */
  #trouble(error: Error): void {
    const now = performance.now();
    if (now - this.#warnedAt < troubleEveryMs) return;
    this.#warnedAt = now;
    this.#deps.log.warn({ error: error.message }, 'the job queue has errors and keeps trying');
  }

  #completed(job: JobWithId): void {
    const rowId: JobId = job.attrs._id;
    const end = this.#ends.get(job);
    this.#ends.delete(job);
    end?.();
    this.#endedAt = performance.now();
    // The place is free only after Agenda has removed this turn from its lists; without this call Agenda would search
    // again only at the next poll.
    setImmediate(() => this.#look(rowId));
  }

  /** Makes Agenda search for work now, and again soon if other nodes may have added some. */
  #look(id: string): void {
    if (this.#closing || this.#channel?.state !== 'connected') return;
    void this.#channel
      .publish({ jobId: id as JobId, jobName, nextRunAt: new Date(0), priority: 0, timestamp: new Date() })
      .catch(() => undefined);
    clearTimeout(this.#nextLook);
    // Not at all if other nodes tell.
    if (this.#deps.store.mongo === undefined || this.#deps.backplane.connected) return;
    const wait = nextLookMs(performance.now() - this.#endedAt, this.#timing.pollMs);
    if (wait !== undefined) this.#nextLook = setTimeout(() => this.#look(id), wait).unref();
  }
}

/**
 * Limits a channel to one search at a time. Agenda answers every announcement with its own search, so a burst of
 * announcements would search the same rows at once; here announcements during a search lead to one more search.
 */
function calmChannel(channel: InMemoryNotificationChannel, pace: SearchPace): InMemoryNotificationChannel {
  const search = channel.publish.bind(channel);
  let searching = false;
  let more = false;
  channel.publish = (notification) => {
    more = true;
    pace.news();
    if (!searching) {
      searching = true;
      const next = (): void => {
        if (!more || channel.state !== 'connected') {
          searching = false;
          return;
        }
        more = false;
        search(notification)
          .catch(() => undefined)
          .finally(() => setImmediate(next));
      };
      setImmediate(next);
    }
    return Promise.resolve();
  };
  return channel;
}
