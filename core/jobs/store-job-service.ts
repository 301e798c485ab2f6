import { setTimeout as pause } from 'node:timers/promises';
import { InputError, OperationalError } from '@quire/registry/errors';
import { isDuplicateRecord, newBlobId, type BlobRange } from '../store/index.js';
import { READS_ATTACHED, type Needs } from './cluster/index.js';
import { jobCallbacks, type JobCallbacks } from './job-callbacks.js';
import { listenToJobs } from './changes/job-announcements.js';
import { endOfJob } from './changes/job-changes.js';
import { removeExpired, removeJob, sweepOrphans, type CleanupReport } from './job-cleanup.js';
import { keepInputs } from './files/keep-inputs.js';
import { ResultFiles } from './files/result-files.js';
import { cancelledFields, cancelOwned, dropUploads, storeEnd } from './job-endings.js';
import { openContext, type JobContext, type JobServiceOptions } from './job-options.js';
import { listJobs, type JobList, type JobListQuery } from './job-list.js';
import { normalUrgency, turnOf } from './job-order.js';
import { toWire, type JobRecord, type JobWire, type ResultFile, type StoredInput } from './job-record.js';
import { JobPlaces } from './claims/job-places.js';
import { recoverOwned } from './job-recovery.js';
import { JobRunner } from './job-runner.js';
import type { JobRequest, JobService, OpenResultFile } from './job-service.js';
import {
  queueStatistics,
  readJobStates,
  readJobStatistics,
  type JobStates,
  type JobStatistics,
  type QueueStatistics,
} from './job-statistics.js';
import { JobUpkeep } from './job-upkeep.js';
import { newJobRecord } from './new-job-record.js';
import { AgendaQueue } from './queue/agenda-queue.js';
import { QueueCounts } from './queue/queue-counts.js';

/** Creates the job service. It does nothing before the first call. */
export function createJobService(options: JobServiceOptions): JobService {
  return new StoreJobService(options);
}

/** Seconds after which a refused or waiting client should retry. */
const retryAfterSeconds = { full: 10, unfinished: 2 } as const;
/** Delay before an unreachable shared store is tried again, ms. */
const storeRetryMs = 2000;
/** How long a count of the queue is reused on a shared store, ms. */
const countsKeptMs = 500;
/** Shortest time between two lists of one stream, ms. */
const listPauseMs = 500;
/** How long a shutdown waits for the queue's last rows to be written, ms; a leftover row is harmless. */
const bookkeepingMs = 4000;

class StoreJobService implements JobService {
  readonly #options: JobServiceOptions;
  readonly #context: JobContext;
  readonly #queue: AgendaQueue;
  readonly #runner: JobRunner;
  readonly #counts: QueueCounts;
  readonly #upkeep: JobUpkeep;
  readonly #places: JobPlaces;
  readonly #results: ResultFiles;
  readonly #shared: boolean;
  readonly #startedAt = new Date();
  readonly callbacks: JobCallbacks;
  readonly #ears: () => void;
  #closing = false;
  #accepting = 0;
  #accepted = 0;
  #refused = 0;
  #lastOrder = 0;

  constructor(options: JobServiceOptions) {
    const { store, log, settings } = options;
    this.#options = options;
    this.#shared = store.kind === 'mongodb';
    this.#context = openContext(options);
    this.#results = new ResultFiles(this.#context);
    this.callbacks = jobCallbacks(this.#context, options.secretKey);
    this.#counts = new QueueCounts(this.#context.jobs, this.#shared ? countsKeptMs : 0);
    const unmetHere = (needs: Needs): Needs => options.cluster?.unmetHere(needs) ?? [];
    this.#queue = new AgendaQueue(
      {
        store,
        log,
        steady: this.#context.steady,
        lockLifetimeMs: this.#context.timing.lockLifetimeMs,
        takes: (needs) => unmetHere(needs).length === 0,
        backplane: this.#context.backplane,
      },
      settings.concurrency,
      this.#context.timing,
    );
    this.#places = new JobPlaces(this.#context, unmetHere);
    this.#runner = new JobRunner({
      context: this.#context,
      places: this.#places,
      execute: options.execute,
      secretKey: options.secretKey,
      temporaryFolder: options.temporaryFolder,
      shared: this.#shared,
      unmetHere,
    });
    this.#upkeep = new JobUpkeep({
      context: this.#context,
      store,
      queue: this.#queue,
      runner: this.#runner,
      cluster: options.cluster,
      shared: this.#shared,
    });
    this.#ears = listenToJobs(this.#context, this.#queue, this.#runner);
  }

  /** How often changes by other nodes are looked for, ms; undefined without others. */
  #pollMs(): number | undefined {
    if (!this.#shared) return undefined;
    const { backplane, timing } = this.#context;
    return backplane.connected ? Math.max(timing.pollMs, backplane.slowJobsMs) : timing.pollMs;
  }

  async start(request: JobRequest): Promise<{ jobId: string }> {
    if (this.#closing) throw new OperationalError('SHUTTING_DOWN');
    await this.#options.admit?.();
    const waiting = await this.#admit(request);
    const stored: StoredInput[] = [];
    let record: JobRecord | undefined;
    try {
      const { jobs, attached } = this.#context;
      const files = await keepInputs(this.#context, request.inputs, stored, waiting);
      const { path: reading, version } = READS_ATTACHED;
      const needs = [...(files === undefined ? [] : [`${reading}@${version}`]), ...(request.needs ?? [])];
      // Strictly increasing, so that the order of the queue is the order of arrival.
      this.#lastOrder = Math.max(this.#context.steady.now(), this.#lastOrder + 1);
      const arrivedMs = this.#lastOrder;
      record = newJobRecord(
        { ...request, needs },
        stored,
        arrivedMs,
        await turnOf(this.#context, request.owner, arrivedMs, request.urgency ?? normalUrgency),
        this.#options,
      );
      await (files === undefined ? jobs.insert(record) : attached.records?.insert(record, files));
      // Not before: the job may be known already, with files of an earlier process.
      if (stored.some(({ sha256 }) => sha256 !== undefined)) this.#context.cached.add(record.id);
      await this.#queue.add(record.id, record.rank ?? arrivedMs, record.needs, record.owner);
      this.#accepted += 1;
      this.#counts.joined();
      return { jobId: record.jobId };
    } catch (error) {
      if (request.uuid !== undefined && record !== undefined && isDuplicateRecord(error)) {
        await dropUploads(this.#context, stored);
        return { jobId: record.jobId };
      }
      // The record may have been written although the store failed. If it cannot be deleted, the job stays intact and
      // keeps its uploads.
      const { id } = record ?? {};
      const gone =
        id === undefined ||
        (await this.#context.jobs.delete(id).then(
          () => true,
          () => false,
        ));
      // Without the holes of files that could not be stored.
      if (gone)
        await dropUploads(
          this.#context,
          stored.filter((one) => one !== undefined),
        );
      throw error;
    } finally {
      this.#accepting -= 1;
    }
  }

  async keep(jobId: string, ms: number): Promise<boolean> {
    const expiresAtMs = this.#context.steady.now() + ms;
    const set = { expiresAtMs, expiresAt: new Date(expiresAtMs).toISOString(), keptMs: ms };
    return (await this.#context.jobs.update(jobId, { set }, { complete: true })) !== undefined;
  }

  async forget(jobId: string): Promise<boolean> {
    const record = await this.#context.jobs.get(jobId);
    const removed = record?.complete === true && (await removeJob(this.#context, record));
    if (removed) this.#context.changes.notify(jobId);
    return removed;
  }

  async get(jobId: string, withFiles = false): Promise<JobRecord | undefined> {
    const { jobs, attached } = this.#context;
    const found = withFiles ? await attached.records?.get(jobId) : undefined;
    const record = found === undefined ? await jobs.get(jobId) : attached.remember(found);
    if (record?.status === 'queued') {
      const [queuePosition, notes] = await Promise.all([this.#counts.place(record), this.#places.notesOf(record)]);
      return { ...record, queuePosition, notes };
    }
    this.#counts.left(jobId);
    return record;
  }

  async cancel(jobId: string): Promise<{ wasQueued: boolean; queuePosition: number | 'n/a' }> {
    for (;;) {
      const record = await this.get(jobId);
      if (!record) throw this.#unknown(jobId);
      if (record.complete) throw new InputError('JOB_COMPLETE');
      const { status } = record;
      const when = { status, complete: false };
      const cancelled = await storeEnd(this.#context, jobId, cancelledFields(this.#context), when);
      // It changed between reading and writing: try again.
      if (!cancelled) continue;
      this.#context.onEnd(cancelled);
      if (this.#runner.isRunning(jobId)) this.#runner.abort(jobId);
      // The update above already decided the job; this makes the node that runs it stop sooner.
      else if (status === 'running' && this.#shared)
        await this.#context.cancels
          .put({ id: jobId, atMs: this.#context.steady.now() })
          .then(() => this.#context.backplane.announce('job-cancelled', jobId))
          .catch(() => undefined);
      // Files of a running job are deleted by its runner once the work has stopped.
      if (status === 'queued') {
        this.#context.cached.delete(jobId);
        await this.#queue.remove(jobId).catch(() => undefined);
        await dropUploads(this.#context, record.inputs);
      }
      this.#context.changes.notifyAll(jobId);
      if (record.callbackState !== undefined) this.#context.changes.ended(jobId);
      return {
        wasQueued: status === 'queued',
        queuePosition: status === 'queued' ? (record.queuePosition ?? 0) : 'n/a',
      };
    }
  }

  #unknown(id: string): InputError {
    return new InputError('JOB_UNKNOWN', { what: 'job', id, minutes: this.#context.settings.resultExpiryMinutes });
  }

  cancelAllOf(owner: string): Promise<number> {
    return cancelOwned(this.#context, owner, (id) => this.cancel(id));
  }

  async files(jobId: string): Promise<readonly ResultFile[]> {
    const record = await this.#context.jobs.get(jobId);
    if (!record) throw this.#unknown(jobId);
    if (!record.complete)
      throw new InputError('JOB_NOT_FINISHED', { status: record.status, seconds: retryAfterSeconds.unfinished });
    if (record.error !== null) throw new InputError('JOB_FAILED', { detail: record.error });
    return record.allResultFiles;
  }

  openFile(fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined> {
    return this.#results.open(fileId, range);
  }

  describeFile(fileId: string): Promise<OpenResultFile['meta'] | undefined> {
    return this.#results.describe(fileId);
  }

  openResult(record: JobRecord, fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined> {
    return this.#results.openOf(record, fileId, range);
  }

  resultOnDisk(record: JobRecord, fileId: string, place: () => string | Promise<string>): Promise<string | undefined> {
    return this.#results.onDisk(record, fileId, place);
  }

  finished(jobId: string, signal: AbortSignal): Promise<JobRecord | undefined> {
    const isWorking = (): boolean => this.#runner.isWorking(jobId);
    return endOfJob(this.#context, { jobId, signal, pollMs: () => this.#pollMs(), isWorking });
  }

  list(query: JobListQuery): Promise<JobList> {
    return listJobs(this.#context, query, (record) => this.#counts.place(record));
  }

  async *listEvents(query: JobListQuery, signal: AbortSignal): AsyncIterable<JobList> {
    const watcher = this.#context.changes.watch();
    const end = (): void => watcher.end();
    signal.addEventListener('abort', end, { once: true });
    try {
      let last = '';
      do {
        const list = await this.list(query);
        const text = JSON.stringify(list);
        if (text !== last) yield list;
        last = text;
        // Progress of several jobs changes many times a second.
        await pause(listPauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      } while (!signal.aborted && (await watcher.next(this.#pollMs())));
    } finally {
      signal.removeEventListener('abort', end);
      watcher.end();
    }
  }

  async *events(jobId: string, signal?: AbortSignal): AsyncIterable<JobWire> {
    const watcher = this.#context.changes.watch(jobId);
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
        // Changes made by other servers may not be announced here, so poll.
      } while (await watcher.next(this.#pollMs()));
    } finally {
      watcher.end();
      signal?.removeEventListener('abort', end);
    }
  }

  states(): Promise<JobStates> {
    return readJobStates(this.#context);
  }

  stats(): Promise<JobStatistics> {
    return readJobStatistics(this.#context);
  }

  async queueStats(): Promise<QueueStatistics> {
    const queued = await this.#context.jobs.count({ status: 'queued' });
    return queueStatistics(queued, this.#options.settings.maxQueued, this.#accepted, this.#refused);
  }

  async cleanup(now?: Date): Promise<CleanupReport> {
    await this.#upkeep.setClock();
    // While their place is away, expired jobs stay with their files, instead of leaving them to a later sweep.
    if (this.#context.blobsApart) await this.#context.blobs.exists(newBlobId());
    const report = await removeExpired(this.#context, now?.getTime() ?? this.#context.steady.now());
    await sweepOrphans(this.#context);
    return report;
  }

  async recover(): Promise<void> {
    try {
      await this.#upkeep.setClock();
      if (!this.#queue.started) await this.#queue.open((jobId, turn) => this.#runner.run(jobId, turn));
      if (this.#shared) {
        await this.#upkeep.review();
      } else await recoverOwned(this.#context, this.#queue, this.#startedAt);
      if (this.#closing) return;
      if (this.#options.cluster?.runsJobs !== false) await this.#queue.begin();
    } catch (error) {
      if (!this.#shared) throw error;
      this.#options.log.warn({ error: String(error) }, 'the store is not reachable; jobs start when it is');
      this.#upkeep.later(() => this.recover(), storeRetryMs);
      return;
    }
    this.#upkeep.every(
      async () => ((await this.#upkeep.isMine()) ? this.cleanup() : undefined),
      Math.max(1, this.#options.settings.cleanupIntervalMinutes) * 60_000,
    );
    if (this.#shared) this.#upkeep.every(() => this.#upkeep.review(), this.#upkeep.reviewMs);
  }

  async drain(timeoutMs: number): Promise<void> {
    this.#closing = true;
    this.#upkeep.stop();
    await this.#queue.stop();
    await this.#runner.drain(timeoutMs);
    await this.#queue.settled(bookkeepingMs);
    await this.#upkeep.release();
  }

  async close(): Promise<void> {
    await this.drain(0);
    this.#ears();
    this.#context.changes.endAll();
  }

  /** Returns the number of waiting jobs. */
  async #admit({ owner, caller }: Pick<JobRequest, 'owner' | 'caller'>): Promise<number> {
    const { settings, cluster } = this.#options;
    const { maxQueuedPerOwner = 0, mostWaitingOf } = settings;
    const ofRole = (caller && mostWaitingOf?.(caller)) ?? Infinity;
    const most = Math.min(maxQueuedPerOwner > 0 ? maxQueuedPerOwner : Infinity, ofRole);
    if (most < Infinity && owner !== '' && (await this.#context.jobs.count({ owner, status: 'queued' })) >= most)
      this.#refuse();
    // While the queue is far from full, do not wait for the count: it is refreshed in the background for the next call.
    const last = this.#counts.lastWaiting(settings.maxQueued / 4);
    const queued = last !== undefined && last < settings.maxQueued / 2 ? last : await this.#counts.waiting();
    const free = cluster?.runsJobs === false ? 0 : Math.max(0, settings.concurrency - this.#runner.running);
    // Count jobs that are being accepted right now too, or a burst would pass the check together.
    if (queued + this.#accepting < settings.maxQueued + free) {
      this.#accepting += 1;
      return queued;
    }
    return this.#refuse();
  }

  #refuse(): never {
    this.#refused += 1;
    throw new OperationalError('QUEUE_FULL', { seconds: retryAfterSeconds.full });
  }
}
