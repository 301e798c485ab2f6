import { setTimeout as delay } from 'node:timers/promises';
import type { Agenda, InMemoryNotificationChannel, Job, JobId, JobWithId } from 'agenda';
import { digestOf, type Needs } from '../cluster/index.js';
import { withStoreErrors } from '../../store/index.js';
import { createQueueBackend, type QueueBackendDeps, type RowData } from './queue-backend.js';

/** One turn of a job at the front of the queue. */
export interface Turn {
  /** True when the row says what the job needs: then it was looked at before it was taken. */
  readonly needsMet: boolean;
  /** Keeps the lock alive; never rejects. */
  touch(): Promise<void>;
  /** Puts the job back when this turn ends, to run again after the delay. */
  again(delayMs: number): void;
}

/** How the queue is timed. Tests shorten it. */
export interface QueueTiming {
  /** A lock that was not touched for so long is free again, ms. */
  readonly lockLifetimeMs: number;
  /** How often the store is searched for work that nobody announced, ms. */
  readonly pollMs: number;
}

/** A row of the queue that can still run. */
export interface WaitingRow {
  readonly rowId: string;
  readonly jobId: string;
  /** False when it has neither a time to run nor a lock: it will never run. */
  readonly live: boolean;
}

const jobName = 'quire-job';
/** Least time between two log lines on trouble, ms. */
const troubleEveryMs = 30_000;
/** Least time between two looks for work of other nodes, ms. */
const leastLookMs = 50;
/** Runs are scheduled a year back, first come first served: turning the wall clock back cannot hold a job. */
const backdateMs = 366 * 24 * 3_600_000;

/** Agenda as a queue of job ids. Imported and started late: nothing here loads Agenda before `start`. */
export class AgendaQueue {
  readonly #parts: QueueBackendDeps;
  readonly #concurrency: number;
  readonly #timing: QueueTiming;
  readonly #turns = new Set<Promise<void>>();
  /** By Agenda's own object: one row can have two turns after a lost lock. */
  readonly #ends = new Map<object, () => void>();
  #agenda: Agenda | undefined;
  #channel: InMemoryNotificationChannel | undefined;
  #closing = false;
  #endedAt = -Infinity;
  #nextLook: NodeJS.Timeout | undefined;
  #toldAt = -Infinity;

  constructor(deps: QueueBackendDeps, concurrency: number, timing: QueueTiming) {
    this.#parts = deps;
    this.#concurrency = Math.max(1, concurrency);
    this.#timing = timing;
  }

  get started(): boolean {
    return this.#agenda !== undefined;
  }

  /** Loads Agenda and prepares the rows; nothing runs before `begin`. */
  async open(work: (jobId: string, turn: Turn) => Promise<void>): Promise<void> {
    const { Agenda, InMemoryNotificationChannel } = await import('agenda');
    const backend = await createQueueBackend(this.#parts);
    await backend.connect();
    this.#channel = calmChannel(new InMemoryNotificationChannel());
    const agenda = new Agenda({
      backend,
      notificationChannel: this.#channel,
      processEvery: this.#timing.pollMs,
      maxConcurrency: this.#concurrency,
      defaultLockLifetime: this.#timing.lockLifetimeMs,
    });
    // Without a listener a lost store ends the process.
    agenda.on('error', (error) => this.#trouble(error));
    // A lock for each place and no more: a job that waits locked would outlive its lock, and other servers could not
    // take it.
    agenda.define<RowData>(jobName, (job) => this.#turn(job, work), {
      concurrency: this.#concurrency,
      lockLimit: this.#concurrency,
      lockLifetime: this.#timing.lockLifetimeMs,
    });
    agenda.on(`complete:${jobName}`, (job) => this.#completed(job));
    await agenda.ready;
    this.#agenda = agenda;
  }

  /** Starts taking jobs. */
  async begin(): Promise<void> {
    await this.#agenda?.start();
  }

  /**
   * Puts a job in the queue and starts it at once when there is a place. `order` (ms of the store's time) decides who
   * comes first; only nodes that meet the needs take it. Rejects with STORE_DOWN, and then the row may be there all the
   * same.
   */
  async add(jobId: string, order: number, needs: Needs = []): Promise<void> {
    const agenda = this.#agenda;
    if (!agenda) return;
    const data: RowData = { jobId, needs, ...(needs.length > 0 ? { kind: digestOf(needs) } : {}) };
    await withStoreErrors(() =>
      agenda
        .create(jobName, data)
        .schedule(new Date(order - backdateMs))
        .save(),
    );
  }

  /** Takes a job out of the queue; a running one keeps running. */
  async remove(jobId: string): Promise<void> {
    await this.#agenda?.cancel({ name: jobName, data: { jobId } });
  }

  async removeRow(rowId: string): Promise<void> {
    await this.#agenda?.cancel({ id: rowId });
  }

  /** Empties the queue. */
  async purge(): Promise<void> {
    await this.#agenda?.cancelAll();
  }

  async rows(): Promise<WaitingRow[]> {
    const { jobs } = (await this.#agenda?.queryJobs({ name: jobName })) ?? { jobs: [] };
    return jobs.map((job) => ({
      rowId: job._id,
      jobId: String((job.data as { jobId?: unknown }).jobId),
      live: Boolean(job.nextRunAt ?? job.lockedAt),
    }));
  }

  /** Takes no more jobs; running ones go on. */
  async stop(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearTimeout(this.#nextLook);
    await this.#agenda?.stop(false);
  }

  /** Waits until the bookkeeping of every turn is written, or the time is over: the store may be away. */
  async settled(timeoutMs: number): Promise<void> {
    const end = new AbortController();
    const all = Promise.allSettled(this.#turns).then(() => end.abort());
    await Promise.race([all, delay(timeoutMs, undefined, { signal: end.signal }).catch(() => undefined)]);
  }

  async #turn(job: Job<RowData>, work: (jobId: string, turn: Turn) => Promise<void>): Promise<void> {
    let end = (): void => undefined;
    const bookkeeping = new Promise<void>((resolve) => (end = resolve));
    this.#turns.add(bookkeeping);
    this.#ends.set(job, () => {
      this.#turns.delete(bookkeeping);
      end();
    });
    const again = (delayMs: number): void => {
      job.attrs.nextRunAt = new Date(Date.now() + delayMs);
    };
    try {
      await work(job.attrs.data.jobId, {
        needsMet: this.#parts.store.mongo !== undefined && job.attrs.data.needs !== undefined,
        touch: () => job.touch().catch(() => undefined),
        again,
      });
    } catch (error) {
      // The runner records failures itself; what comes here is trouble with recording.
      this.#parts.log.warn(
        { jobId: job.attrs.data.jobId, error: String(error) },
        'a job could not be recorded and is tried again',
      );
      again(5000);
    }
  }

  /** Each poll of a lost store fails again; one line for all of them is enough. */
  #trouble(error: Error): void {
    const now = performance.now();
    if (now - this.#toldAt < troubleEveryMs) return;
    this.#toldAt = now;
    this.#parts.log.warn({ error: error.message }, 'the job queue has trouble and goes on trying');
  }

  #completed(job: JobWithId): void {
    const rowId: JobId = job.attrs._id;
    const end = this.#ends.get(job);
    this.#ends.delete(job);
    end?.();
    this.#endedAt = performance.now();
    // After this turn has left Agenda's lists its place is free; without a word Agenda would look again only at the
    // next poll.
    setImmediate(() => this.#look(rowId));
  }

  /** Has Agenda look for work now, and soon again where other nodes may have put some. */
  #look(rowId: JobId): void {
    if (this.#closing || this.#channel?.state !== 'connected') return;
    void this.#channel
      .publish({ jobId: rowId, jobName, nextRunAt: new Date(0), priority: 0, timestamp: new Date() })
      .catch(() => undefined);
    clearTimeout(this.#nextLook);
    const wait = Math.max(leastLookMs, (performance.now() - this.#endedAt) / 4);
    // Work comes after work: what another node puts in the queue soon after is found soon, and an idle node asks no
    // more often than the poll does.
    if (this.#parts.store.mongo !== undefined && wait < this.#timing.pollMs)
      this.#nextLook = setTimeout(() => this.#look(rowId), wait).unref();
  }
}

/**
 * Makes a channel look for work once at a time. Agenda answers every announcement with a search of its own, and a burst
 * of announcements would search the same rows at the same moment; here those that come during a search lead to one
 * more.
 */
function calmChannel(channel: InMemoryNotificationChannel): InMemoryNotificationChannel {
  const search = channel.publish.bind(channel);
  let searching = false;
  let more = false;
  channel.publish = (notification) => {
    more = true;
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
