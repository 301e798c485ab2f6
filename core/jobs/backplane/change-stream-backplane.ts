import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@quire/registry';
import { ChangesRefused, type StoreChange, type StoreChanges, type WatchedCollection } from '../../store/index.js';
import type { Announcement, Backplane, Topic } from './backplane.js';
import { Listeners } from './listeners.js';

export interface ChangeStreamDeps {
  /** Prepares a stream of changes in the store. */
  watch(collections: readonly WatchedCollection[]): StoreChanges;
  /** About how many nodes share the store. */
  nodes(): Promise<number>;
  /** True on a node that answers clients, who may wait for the progress of a job. */
  readonly serves: boolean;
  readonly log: Logger;
  /** Shortest and longest time between two attempts to open a stream, and after a refusal, ms. Tests shorten them. */
  readonly retryMs?: { readonly least: number; readonly most: number; readonly refused: number };
}

/**
 * Nothing that was written is missing in an open stream, but nobody writes that a lock has expired: this much later at
 * most, a job of a node that died begins on an idle one, ms.
 */
const SLOW_JOBS_MS = 10_000;
const RETRY_MS = { least: 500, most: 15_000, refused: 300_000 };
const CLOSE_MS = 1000;
/** How long a number of nodes is used, ms. */
const NODES_MS = 300_000;

type WatchedTopic = WatchedCollection & { readonly topic: Topic };

/** What is written for each topic anyway. Rows of the queue have other ids than their jobs. */
function watchedTopics(serves: boolean): readonly WatchedTopic[] {
  const written = ['insert', 'update', 'replace'] as const;
  const changed = [...written, 'delete'] as const;
  const progress = serves ? ['progress', 'step', 'notes'] : [];
  return [
    // Agenda writes `lastFinishedAt` when a job is put back.
    {
      topic: 'job-added',
      collection: 'agenda_jobs',
      types: ['insert', 'update'],
      fields: ['lastFinishedAt'],
      named: 'data.jobId',
    },
    // Heartbeats of running jobs are left out.
    { topic: 'job-changed', collection: 'jobs', types: ['update', 'replace'], fields: ['status', ...progress] },
    { topic: 'job-cancelled', collection: 'job_cancels', types: written },
    { topic: 'roles', collection: 'role_revisions', types: changed },
    { topic: 'switches', collection: 'switches', types: changed },
    { topic: 'automations', collection: 'automation_revisions', types: changed },
  ];
}

/**
 * Hears of changes from the store itself, where that is a replica set: what other nodes write is the announcement. On
 * every other store it never connects, and nodes ask as without a backplane. A new stream begins where it is opened;
 * everybody looks once then, so nothing has to be resumed.
 */
export class ChangeStreamBackplane implements Backplane {
  readonly kind = undefined;
  readonly slowJobsMs = SLOW_JOBS_MS;
  readonly reportsOwn = true;
  readonly #listeners = new Listeners();
  readonly #topics: ReadonlyMap<string, Topic>;
  readonly #watched: readonly WatchedTopic[];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #stream: StoreChanges | undefined;
  #connected = false;
  #nodes = 1;
  #countedAt = -Infinity;
  #said = '';

  constructor(private readonly deps: ChangeStreamDeps) {
    this.#watched = watchedTopics(deps.serves);
    this.#topics = new Map(this.#watched.map(({ collection, topic }) => [collection, topic]));
    this.#running = this.#run();
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Whatever could be announced has been written. */
  announce(): void {
    return undefined;
  }

  on(topic: Topic, listener: (announcement: Announcement) => void): () => void {
    return this.#listeners.on(topic, listener);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#connected = false;
    void this.#stream?.close();
    // A server that hangs ends nothing.
    await Promise.race([this.#running, delay(CLOSE_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { least, most, refused } = this.deps.retryMs ?? RETRY_MS;
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      const stream = this.deps.watch(this.#watched);
      this.#stream = stream;
      const begun = performance.now();
      try {
        await this.#follow(stream);
      } catch (error) {
        void stream.close();
        if (this.#stop.signal.aborted) return;
        this.#lost(error);
        // One that ends at once again and again is opened less and less often.
        if (performance.now() - begun > most) failures = 0;
        const wait = error instanceof ChangesRefused ? refused : Math.min(most, least * 2 ** failures);
        failures = Math.min(failures + 1, 30);
        await delay(wait, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** Rejects when the stream ends. */
  async #follow(stream: StoreChanges): Promise<never> {
    await stream.open();
    await this.#count();
    this.#opened();
    for (;;) {
      const change = await stream.next();
      if (change !== undefined) this.#tell(change);
    }
  }

  #tell({ collection, id }: StoreChange): void {
    if (performance.now() - this.#countedAt > NODES_MS) void this.#count();
    const topic = this.#topics.get(collection);
    if (topic !== undefined && this.#connected) this.#listeners.tell(topic, { id, nodes: this.#nodes });
  }

  /** Never rejects: the number only spreads the looks of many nodes. */
  async #count(): Promise<void> {
    this.#countedAt = performance.now();
    this.#nodes = Math.max(1, await this.deps.nodes().catch(() => this.#nodes));
  }

  #opened(): void {
    if (this.#stop.signal.aborted) return;
    this.#connected = true;
    this.#say('the store reports changes (change stream), so this node seldom asks for them');
    this.#listeners.tellAll(this.#nodes);
  }

  #lost(error: unknown): void {
    const was = this.#connected;
    this.#connected = false;
    const reason = String(error);
    if (was) this.#say('the change stream of the store has ended; this node asks for changes until it is open', reason);
    else if (error instanceof ChangesRefused)
      this.#say('the store has no change streams, so this node asks it for changes', reason);
    if (was) this.#listeners.tellAll(this.#nodes);
  }

  /** Each state once, not at every attempt. */
  #say(text: string, reason?: string): void {
    if (text === this.#said) return;
    this.#said = text;
    this.deps.log.info(reason === undefined ? {} : { reason }, text);
  }
}
