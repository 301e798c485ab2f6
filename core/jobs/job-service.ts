import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Principal } from '@quire/registry';
import { InputError, OperationalError } from '@quire/registry/errors';
import { isDuplicateRecord, type BlobRange } from '../store/index.js';
import { SteadyClock, type Lease, type Needs } from './cluster/index.js';
import { AgendaQueue } from './queue/agenda-queue.js';
import { jobCallbacks, sealCallback, type JobCallback, type JobCallbacks } from './job-callbacks.js';
import { JobChanges } from './job-changes.js';
import { removeExpired, removeJob, reviewExpiry, sweepOrphans, type CleanupReport } from './job-cleanup.js';
import { cancelledFields, cancelOwned, dropUploads } from './job-endings.js';
import type { JobInput, JobKind } from './job-executor.js';
import { timingFor, type JobRoom, type JobServiceOptions } from './job-options.js';
import { normalUrgency, turnOf, type JobTurn } from './job-order.js';
import {
  localDateTime,
  toWire,
  type JobCancelRecord,
  type JobFileRecord,
  type JobRecord,
  type JobWire,
  type ResultFile,
  type StoredInput,
} from './job-record.js';
import { recoverOwned, recoverShared } from './job-recovery.js';
import { JobRunner } from './job-runner.js';
import { reviewWaiting } from './job-waiting.js';
import { sealJson } from '../secrets/sealed-json.js';
import { QueueCounts } from './queue/queue-counts.js';
import {
  queueStatistics,
  readJobStates,
  readJobStatistics,
  type JobStates,
  type JobStatistics,
  type QueueStatistics,
} from './job-statistics.js';

/** A job to start. */
export interface JobRequest {
  readonly kind: JobKind;
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly pipeline?: unknown;
  /** Uploads; each is in the store before `start` returns, and the file at `path` may then be deleted. */
  readonly inputs: readonly JobInput[];
  /** The user's id while login is on, else ''. */
  readonly owner: string;
  /** Who starts it: the work runs with their rights and is charged to them. */
  readonly caller?: Principal;
  /** What a node must have to run it; nothing when missing. */
  readonly needs?: Needs;
  /** 0 (first) to 7 (last), as in RFC 9218, 4.1; 3 when missing. */
  readonly urgency?: number;
  /** Whom its end is told. */
  readonly callback?: JobCallback;
  /**
   * The random part of its id, for a caller that must find the job again whatever happens; a job that has it already is
   * the one that is meant.
   */
  readonly uuid?: string;
}

/** An open result file. */
export interface OpenResultFile {
  readonly meta: ResultFile & { readonly jobId: string; readonly owner: string; readonly kind: string };
  readonly stream: Readable;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Absolute path when the store is a folder; read only. */
  readonly path?: string;
}

/** Runs work in the background, and keeps what came of it. */
export interface JobService {
  /**
   * Takes a job in. Rejects with QUEUE_FULL (Retry-After in `data.seconds`), SHUTTING_DOWN, STORE_DOWN or STORAGE_FULL.
   */
  start(request: JobRequest): Promise<{ jobId: string }>;
  /** The record, with its place in the queue; undefined when unknown or expired. */
  get(jobId: string): Promise<JobRecord | undefined>;
  /** Stops a job. Rejects with NOT_FOUND or JOB_COMPLETE. */
  cancel(jobId: string): Promise<{ wasQueued: boolean; queuePosition: number | 'n/a' }>;
  /** Stops every job of an owner that is not complete; gives their number. Rejects with STORE_DOWN. */
  cancelAllOf(owner: string): Promise<number>;
  /** The result files. Rejects with NOT_FOUND, JOB_NOT_FINISHED or JOB_FAILED. */
  files(jobId: string): Promise<readonly ResultFile[]>;
  /** Opens a result file; undefined when no live job has it. Throws RangeError for a range behind the end. */
  openFile(fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined>;
  /** The same for a file of a record that was just read. */
  openResult(record: JobRecord, fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined>;
  /** The record now and after every change, until it is complete, the signal is aborted or the service closes. */
  events(jobId: string, signal?: AbortSignal): AsyncIterable<JobWire>;
  /** Jobs whose end is to be told. */
  readonly callbacks: JobCallbacks;
  /** Removes a complete job with its files, as if its time were over. */
  forget(jobId: string): Promise<void>;
  stats(): Promise<{ jobs: JobStatistics; queue: QueueStatistics }>;
  /** Jobs by state, counted cheaply. */
  states(): Promise<JobStates>;
  /** Removes what has expired at `now` (default: the store's time), and orphans. */
  cleanup(now?: Date): Promise<CleanupReport>;
  /**
   * Loads Agenda, puts the store right after whatever happened before, and starts working. Call once, after the server
   * listens. With MongoDB away it returns and goes on trying.
   */
  recover(): Promise<void>;
  /** Takes no more jobs, waits for running ones, and hands the rest back to the queue for the next start. */
  drain(timeoutMs: number): Promise<void>;
  /** Ends timers, events and the queue; running work is handed back at once. The store stays open. */
  close(): Promise<void>;
}

/** Makes the job service. Does nothing before the first call; loads Agenda in `recover`. */
export function createJobService(options: JobServiceOptions): JobService {
  return new StoreJobService(options);
}

/** Seconds that a refused or waiting client is asked to wait. */
const retryAfterSeconds = { full: 10, unfinished: 2 } as const;
/**
 * How often a shared store is looked through for lost jobs, ms; and how long until a store that is away is tried again.
 */
const reviewEveryMs = 15_000;
const storeRetryMs = 2000;
/** How long a count of the queue serves on a shared store, ms. */
const countsKeptMs = 500;
/** How long a cancellation of a job that runs elsewhere is kept; the node at work sees it within a second. */
const cancelKeptMs = 120_000;
/** How long a shutdown waits for the queue's last rows to be written, ms; a row too many is harmless. */
const bookkeepingMs = 4000;

class StoreJobService implements JobService {
  readonly #options: JobServiceOptions;
  readonly #room: JobRoom;
  readonly #queue: AgendaQueue;
  readonly #runner: JobRunner;
  readonly #counts: QueueCounts;
  readonly #shared: boolean;
  readonly #startedAt = new Date();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly callbacks: JobCallbacks;
  #closing = false;
  #accepting = 0;
  #accepted = 0;
  #refused = 0;
  #lastOrder = 0;
  #upkeep: Lease | undefined;

  constructor(options: JobServiceOptions) {
    const { store, log, clock, settings } = options;
    this.#options = options;
    this.#shared = store.kind === 'mongodb';
    this.#room = {
      jobs: store.records<JobRecord>('jobs', {
        keys: ['complete', 'status', 'createdAtMs', 'expiresAtMs', 'rank', 'owner', 'callbackState'],
      }),
      files: store.records<JobFileRecord>('job_files', { keys: ['jobId'] }),
      cancels: store.records<JobCancelRecord>('job_cancels', { keys: ['atMs'] }),
      blobs: store.blobs.area('jobs'),
      changes: new JobChanges(),
      steady: options.cluster?.clock ?? new SteadyClock(),
      log,
      clock,
      settings,
      timing: timingFor(store.kind, options.timing),
      attempts: settings.attempts ?? 2,
      onEnd: options.onEnd ?? (() => undefined),
    };
    this.callbacks = jobCallbacks(this.#room, options.secretKey);
    this.#counts = new QueueCounts(this.#room.jobs, this.#shared ? countsKeptMs : 0);
    const unmetHere = (needs: Needs): Needs => options.cluster?.unmetHere(needs) ?? [];
    this.#queue = new AgendaQueue(
      {
        store,
        log,
        steady: this.#room.steady,
        lockLifetimeMs: this.#room.timing.lockLifetimeMs,
        takes: (needs) => unmetHere(needs).length === 0,
      },
      settings.concurrency,
      this.#room.timing,
    );
    this.#runner = new JobRunner({
      room: this.#room,
      execute: options.execute,
      secretKey: options.secretKey,
      temporaryFolder: options.temporaryFolder,
      shared: this.#shared,
      unmetHere,
    });
  }

  async start(request: JobRequest): Promise<{ jobId: string }> {
    if (this.#closing) throw new OperationalError('SHUTTING_DOWN');
    await this.#admit(request.owner);
    const stored: StoredInput[] = [];
    let record: JobRecord | undefined;
    try {
      for (const { field, name, kind, mediaType, path } of request.inputs)
        stored.push({
          field,
          name,
          kind,
          ...(mediaType === undefined ? {} : { mediaType }),
          blobId: (await this.#room.blobs.put(path)).id,
        });
      // A strictly growing number, so that the order of the queue is the order of arrival.
      this.#lastOrder = Math.max(this.#room.steady.now(), this.#lastOrder + 1);
      const arrivedMs = this.#lastOrder;
      record = this.#newRecord(
        request,
        stored,
        arrivedMs,
        await turnOf(this.#room, request.owner, arrivedMs, request.urgency ?? normalUrgency),
      );
      await this.#room.jobs.insert(record);
      await this.#queue.add(record.id, record.rank ?? arrivedMs, record.needs);
      this.#accepted += 1;
      this.#counts.joined();
      return { jobId: record.jobId };
    } catch (error) {
      if (request.uuid !== undefined && record !== undefined && isDuplicateRecord(error)) {
        await dropUploads(this.#room, stored);
        return { jobId: record.jobId };
      }
      // A store that went away in the middle may have the record all the same: then it keeps its uploads, and the job
      // is a whole one.
      const { id } = record ?? {};
      const gone =
        id === undefined ||
        (await this.#room.jobs.delete(id).then(
          () => true,
          () => false,
        ));
      if (gone) await dropUploads(this.#room, stored);
      throw error;
    } finally {
      this.#accepting -= 1;
    }
  }

  async forget(jobId: string): Promise<void> {
    const record = await this.#room.jobs.get(jobId);
    if (record?.complete === true) await removeJob(this.#room, record);
  }

  async get(jobId: string): Promise<JobRecord | undefined> {
    const record = await this.#room.jobs.get(jobId);
    if (record?.status === 'queued') return { ...record, queuePosition: await this.#counts.place(record) };
    this.#counts.left(jobId);
    return record;
  }

  async cancel(jobId: string): Promise<{ wasQueued: boolean; queuePosition: number | 'n/a' }> {
    for (;;) {
      const record = await this.get(jobId);
      if (!record) throw new InputError('NOT_FOUND');
      if (record.complete) throw new InputError('JOB_COMPLETE');
      const { status } = record;
      const cancelled = await this.#room.jobs.update(
        jobId,
        { set: cancelledFields(this.#room) },
        { status, complete: false },
      );
      // It changed between reading and writing: look again.
      if (!cancelled) continue;
      this.#room.onEnd(cancelled);
      if (this.#runner.isRunning(jobId)) this.#runner.abort(jobId);
      // The record is fenced by now; this only makes the node that works on it stop sooner.
      else if (status === 'running' && this.#shared)
        await this.#room.cancels.put({ id: jobId, atMs: this.#room.steady.now() }).catch(() => undefined);
      // Files of a running job are deleted by its runner once the work has stopped.
      if (status === 'queued') {
        await this.#queue.remove(jobId).catch(() => undefined);
        await dropUploads(this.#room, record.inputs);
      }
      this.#room.changes.notifyAll();
      if (record.callbackState !== undefined) this.#room.changes.ended(jobId);
      return {
        wasQueued: status === 'queued',
        queuePosition: status === 'queued' ? (record.queuePosition ?? 0) : 'n/a',
      };
    }
  }

  cancelAllOf(owner: string): Promise<number> {
    return cancelOwned(this.#room, owner, (id) => this.cancel(id));
  }

  async files(jobId: string): Promise<readonly ResultFile[]> {
    const record = await this.#room.jobs.get(jobId);
    if (!record) throw new InputError('NOT_FOUND');
    if (!record.complete)
      throw new InputError('JOB_NOT_FINISHED', { status: record.status, seconds: retryAfterSeconds.unfinished });
    if (record.error !== null) throw new InputError('JOB_FAILED', { detail: record.error });
    return record.allResultFiles;
  }

  async openFile(fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined> {
    const owner = await this.#room.files.get(fileId);
    const record = owner && (await this.#room.jobs.get(owner.jobId));
    return record && this.openResult(record, fileId, range);
  }

  async openResult(record: JobRecord, fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined> {
    const index = record.allResultFiles.findIndex((one) => one.fileId === fileId);
    const file = record.allResultFiles[index];
    // A row without its job's word is a result that came too late, or whose job is gone.
    if (!record.complete || !file) return undefined;
    const blob = await this.#room.blobs.get(fileId, range);
    if (!blob) return undefined;
    const path = this.#room.blobs.path(fileId);
    const meta = { ...file, jobId: record.jobId, owner: record.owner, kind: record.resultKinds[index] ?? '' };
    return { meta, stream: blob.stream, size: blob.size, ...(path === undefined ? {} : { path }) };
  }

  async *events(jobId: string, signal?: AbortSignal): AsyncIterable<JobWire> {
    const watcher = this.#room.changes.watch(jobId);
    const end = (): void => watcher.end();
    signal?.addEventListener('abort', end, { once: true });
    try {
      let last = '';
      do {
        if (signal?.aborted) return;
        const record = await this.get(jobId);
        if (!record) return;
        const wire = toWire(record);
        const text = JSON.stringify(wire);
        if (text !== last) yield wire;
        last = text;
        if (record.complete) return;
        // Changes made by other servers are not announced here.
      } while (await watcher.next(this.#shared ? this.#room.timing.pollMs : undefined));
    } finally {
      watcher.end();
      signal?.removeEventListener('abort', end);
    }
  }

  states(): Promise<JobStates> {
    return readJobStates(this.#room);
  }

  async stats(): Promise<{ jobs: JobStatistics; queue: QueueStatistics }> {
    const queued = await this.#room.jobs.count({ status: 'queued' });
    return {
      jobs: await readJobStatistics(this.#room),
      queue: queueStatistics(queued, this.#options.settings.maxQueued, this.#accepted, this.#refused),
    };
  }

  async cleanup(now?: Date): Promise<CleanupReport> {
    await this.#setClock();
    const report = await removeExpired(this.#room, now?.getTime() ?? this.#room.steady.now());
    await sweepOrphans(this.#room);
    return report;
  }

  async recover(): Promise<void> {
    try {
      await this.#setClock();
      if (!this.#queue.started) await this.#queue.open((jobId, turn) => this.#runner.run(jobId, turn));
      if (this.#shared) {
        await this.#review();
      } else await recoverOwned(this.#room, this.#queue, this.#startedAt);
      if (this.#closing) return;
      if (this.#options.cluster?.runsJobs !== false) await this.#queue.begin();
    } catch (error) {
      if (!this.#shared) throw error;
      this.#options.log.warn({ error: String(error) }, 'the store is not reachable; jobs start when it is');
      this.#later(() => this.recover(), storeRetryMs);
      return;
    }
    this.#every(
      async () => ((await this.#hasUpkeep()) ? this.cleanup() : undefined),
      Math.max(1, this.#options.settings.cleanupIntervalMinutes) * 60_000,
    );
    if (this.#shared) this.#every(() => this.#review(), this.#reviewMs);
  }

  async drain(timeoutMs: number): Promise<void> {
    this.#closing = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await this.#queue.stop();
    await this.#runner.drain(timeoutMs);
    await this.#queue.settled(bookkeepingMs);
    await this.#upkeep?.release();
    this.#upkeep = undefined;
  }

  async close(): Promise<void> {
    await this.drain(0);
    this.#room.changes.endAll();
  }

  async #admit(owner: string): Promise<void> {
    const { settings, cluster } = this.#options;
    const { maxQueuedPerOwner = 0 } = settings;
    if (
      maxQueuedPerOwner > 0 &&
      owner !== '' &&
      (await this.#room.jobs.count({ owner, status: 'queued' })) >= maxQueuedPerOwner
    )
      this.#refuse();
    // While there is much room nobody waits for the count: it is made beside the work, and tells the next one.
    const last = this.#counts.lastWaiting();
    const queued = last !== undefined && last < settings.maxQueued / 2 ? last : await this.#counts.waiting();
    const free = cluster?.runsJobs === false ? 0 : Math.max(0, settings.concurrency - this.#runner.running);
    // Those being taken in right now count too, or a burst would pass the check together.
    if (queued + this.#accepting < settings.maxQueued + free) {
      this.#accepting += 1;
      return;
    }
    this.#refuse();
  }

  #refuse(): never {
    this.#refused += 1;
    throw new OperationalError('QUEUE_FULL', { seconds: retryAfterSeconds.full });
  }

  #newRecord(
    { kind, path, params, pipeline, owner, caller, callback, uuid = randomUUID(), needs = [] }: JobRequest,
    inputs: readonly StoredInput[],
    createdAtMs: number,
    { fairMs, rank }: JobTurn,
  ): JobRecord {
    // Clients know their jobs by their user name; who owns one is decided by `owner`, since names change hands.
    const id = owner === '' ? uuid : `${caller?.name ?? owner}:${uuid}`;
    return {
      id,
      jobId: id,
      owner,
      ...(caller === undefined ? {} : { caller }),
      kind,
      path,
      inputs,
      complete: false,
      error: null,
      createdAt: localDateTime(this.#options.clock.now()),
      completedAt: null,
      result: null,
      notes: [],
      metadata: {},
      allResultFiles: [],
      status: 'queued',
      progress: 0,
      step: null,
      queuePosition: null,
      attempts: 0,
      expiresAt: null,
      failure: null,
      headers: {},
      archiveName: null,
      resultKinds: [],
      secret: sealJson(this.#options.secretKey, id, { params, pipeline }),
      ...(callback === undefined ? {} : sealCallback(this.#options.secretKey, id, callback)),
      attempt: null,
      returns: 0,
      needs,
      strandedAtMs: null,
      fairMs,
      rank,
      createdAtMs,
      startedAtMs: null,
      heartbeatAtMs: null,
      completedAtMs: null,
      expiresAtMs: null,
      graced: false,
    };
  }

  /** Only a shared store has a better time than the one we count ourselves. */
  async #setClock(): Promise<void> {
    if (this.#shared) this.#room.steady.set(await this.#options.store.serverTime());
  }

  /** What one node does for all that share the store. */
  async #review(): Promise<void> {
    await this.#setClock();
    const fresh = this.#upkeep === undefined;
    if (!(await this.#hasUpkeep())) return;
    const { cluster } = this.#options;
    // Once for each time that nobody did it: then results may have run out unseen.
    if (fresh) await reviewExpiry(this.#room);
    await recoverShared(this.#room, this.#queue, this.#runner);
    if (cluster === undefined) return;
    await reviewWaiting(this.#room, this.#queue, (needs) => cluster.unmetAnywhere(needs));
    await this.#room.cancels.deleteMany({}, { atMost: { atMs: this.#room.steady.now() - cancelKeptMs } });
    await cluster.sweep();
  }

  /** True while this is the node that does the upkeep, which another takes over when it dies. */
  async #hasUpkeep(): Promise<boolean> {
    const { cluster } = this.#options;
    if (cluster === undefined || !this.#shared) return true;
    if (this.#upkeep !== undefined && !(await this.#upkeep.renew())) this.#upkeep = undefined;
    this.#upkeep ??= await cluster.leases.take('upkeep', 3 * this.#reviewMs);
    return this.#upkeep !== undefined;
  }

  get #reviewMs(): number {
    return Math.min(reviewEveryMs, this.#room.timing.lockLifetimeMs);
  }

  #later(work: () => Promise<unknown>, ms: number): void {
    if (this.#closing) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void work().catch((error: unknown) =>
        this.#options.log.warn({ error: String(error) }, 'upkeep of the jobs failed and is tried again'),
      );
    }, ms);
    timer.unref();
    this.#timers.add(timer);
  }

  #every(work: () => Promise<unknown>, ms: number): void {
    this.#later(async () => {
      try {
        await work();
      } finally {
        this.#every(work, ms);
      }
    }, ms);
  }
}
