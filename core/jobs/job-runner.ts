import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { errorRow, isQuireError, OperationalError } from '@quire/registry/errors';
import type { Turn } from './queue/agenda-queue.js';
import { dropResults, dropUploads, failureFields, keepOutcome } from './job-endings.js';
import type { JobExecutor, JobOutcome } from './job-executor.js';
import { noNode } from './job-waiting.js';
import type { Needs } from './cluster/index.js';
import { layOutInputs, type LaidOutInputs } from './job-inputs.js';
import type { JobContext } from './job-options.js';
import { localProgress } from './job-progress.js';
import type { JobRecord } from './job-record.js';
import { openSecret } from './job-secret.js';

/** Why a run was stopped from outside. */
type StopCause = 'cancelled' | 'timeout' | 'drain' | 'lost';

interface Run {
  readonly jobId: string;
  readonly attempt: string;
  readonly controller: AbortController;
  cause: StopCause | undefined;
  readonly done: Promise<void>;
}

export interface RunnerOptions {
  readonly context: JobContext;
  readonly execute: JobExecutor;
  readonly secretKey: Buffer;
  readonly temporaryFolder: string | undefined;
  /** True if other servers share the store: a running record may belong to one of them. */
  readonly shared: boolean;
  /** The needs that this node does not meet. */
  unmetHere(needs: Needs): Needs;
}

/** Codes that mean "not now": the start does not count as an attempt. */
const notNow = new Set(['QUEUE_FULL', 'SHUTTING_DOWN', 'STORE_DOWN']);
const greatestReturns = 200;
/** How often a node at work asks which jobs were cancelled elsewhere, ms. */
const cancelsEveryMs = 1000;

/** Runs jobs whose turn has come, and keeps each record true whatever happens. */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #context: JobContext;
  readonly #runs = new Map<string, Run>();
  /** Uploads that are being deleted. */
  readonly #drops = new Set<Promise<void>>();
  #draining = false;
  #listening: NodeJS.Timeout | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#context = options.context;
  }

  /** Jobs at work in this process. */
  get running(): number {
    return this.#runs.size;
  }

  isRunning(jobId: string): boolean {
    return this.#runs.has(jobId);
  }

  /** Stops a job's work here, if it is here. */
  abort(jobId: string): void {
    const run = this.#runs.get(jobId);
    if (run) this.#stop(run, 'cancelled');
  }

  /** Waits for running work, then hands the rest back to the queue. */
  async drain(timeoutMs: number): Promise<void> {
    this.#draining = true;
    const all = (): Promise<unknown> => Promise.allSettled([...this.#runs.values()].map((run) => run.done));
    const ended = new AbortController();
    await Promise.race([
      all().then(() => ended.abort()),
      delay(timeoutMs, undefined, { signal: ended.signal }).catch(() => undefined),
    ]);
    for (const run of this.#runs.values()) this.#stop(run, 'drain');
    await all();
    await Promise.all(this.#drops);
  }

  /** One turn: claims the job, runs it, records the end. Never leaves a record `running` that nobody works on. */
  async run(jobId: string, turn: Turn): Promise<void> {
    // Agenda can hand the same job out twice (a clock that jumped, a store that was away): the second waits for the
    // first.
    const mine = this.#runs.get(jobId);
    if (mine) return mine.done;
    if (this.#draining) return turn.again(0);
    const claimed = await this.#claim(jobId, turn);
    if (!claimed) return;
    this.#context.changes.notifyAll();
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    const run: Run = {
      jobId,
      attempt: claimed.attempt ?? '',
      controller: new AbortController(),
      cause: undefined,
      done,
    };
    this.#runs.set(jobId, run);
    this.#listen();
    try {
      await this.#work(claimed, run, turn);
    } finally {
      this.#runs.delete(jobId);
      if (this.#runs.size === 0) clearInterval(this.#listening);
      this.#context.changes.notifyAll();
      if (claimed.callbackState !== undefined) this.#context.changes.ended(jobId);
      end();
    }
  }

  /**
   * Looks for cancellations made at other nodes while there is work here; the set they lie in is nearly always empty.
   */
  #listen(): void {
    if (!this.#options.shared || this.#runs.size > 1) return;
    clearInterval(this.#listening);
    this.#listening = setInterval(
      () => void this.#hear().catch(() => undefined),
      Math.min(cancelsEveryMs, this.#context.timing.touchMs),
    );
  }

  async #hear(): Promise<void> {
    for (const { id } of await this.#context.cancels.find({}, { limit: 1000 })) {
      if (!this.#runs.has(id)) continue;
      this.abort(id);
      await this.#context.cancels.delete(id);
    }
  }

  async #claim(jobId: string, turn: Turn): Promise<JobRecord | undefined> {
    // Nearly every job is new, and one question fewer to a shared store.
    const fresh = turn.needsMet
      ? await this.#start(jobId, { attempt: null, status: 'queued', complete: false, attempts: 0 })
      : undefined;
    return fresh ?? this.#claimKnown(jobId, turn);
  }

  async #start(jobId: string, unchanged: Partial<JobRecord>): Promise<JobRecord | undefined> {
    const now = this.#context.steady.now();
    return this.#context.jobs.update(
      jobId,
      {
        set: {
          status: 'running',
          attempt: randomUUID(),
          notes: [],
          strandedAtMs: null,
          startedAtMs: now,
          heartbeatAtMs: now,
          progress: 0,
          step: null,
        },
        inc: { attempts: 1 },
      },
      unchanged,
    );
  }

  async #claimKnown(jobId: string, turn: Turn): Promise<JobRecord | undefined> {
    const { jobs, steady, timing, attempts, changes, log } = this.#context;
    const record = await jobs.get(jobId);
    if (!record || record.complete) return undefined;
    if (
      record.status === 'running' &&
      this.#options.shared &&
      steady.now() - (record.heartbeatAtMs ?? 0) < timing.lockLifetimeMs
    ) {
      // Its owner lives, or has been silent for less than a lock lasts. Look again when it may have died.
      turn.again(timing.lockLifetimeMs - (steady.now() - (record.heartbeatAtMs ?? 0)) + 50);
      return undefined;
    }
    const unchanged = { attempt: record.attempt, status: record.status, complete: false };
    if (record.attempts >= attempts) {
      const text = `The server stopped while it worked on this job, ${record.attempts} times; it is not tried again.`;
      log.warn({ jobId, attempts: record.attempts }, 'a job is given up after too many starts');
      this.#ended(
        record,
        await jobs.update(
          jobId,
          { set: failureFields(this.#context, new OperationalError('WORKER_LOST'), text) },
          unchanged,
        ),
      );
      changes.notify(jobId);
      return undefined;
    }
    const missing = this.#options.unmetHere(record.needs ?? []);
    if (missing.length > 0) {
      // Among many nodes it waits for the right one; here there is no other.
      if (this.#options.shared) turn.again(timing.pollMs);
      else
        this.#ended(
          record,
          await jobs.update(jobId, { set: failureFields(this.#context, noNode(missing)) }, unchanged),
        );
      changes.notify(jobId);
      return undefined;
    }
    return this.#start(jobId, unchanged);
  }

  async #work(record: JobRecord, run: Run, turn: Turn): Promise<void> {
    const { settings, timing } = this.#context;
    const limit = setTimeout(() => this.#stop(run, 'timeout'), settings.timeoutMs);
    const pulse = setInterval(() => void this.#pulse(run, turn), timing.touchMs);
    const progress = localProgress((fields) => this.#recordProgress(run, fields));
    let laidOut: LaidOutInputs | undefined;
    let outcome: JobOutcome | undefined;
    try {
      laidOut = await this.#patiently(() =>
        layOutInputs(this.#context.blobs, record.inputs, this.#options.temporaryFolder),
      );
      const { params, pipeline } = openSecret(this.#options.secretKey, record);
      const work = {
        jobId: record.jobId,
        attempt: record.attempts,
        kind: record.kind,
        path: record.path,
        params,
        pipeline,
        inputs: laidOut.inputs,
        caller: record.caller,
      };
      outcome = await this.#execute(run, () =>
        this.#options.execute(work, {
          signal: run.controller.signal,
          progress: progress.progress,
          step: progress.step,
        }),
      );
      await progress.end();
      await this.#succeed(record, run, outcome);
    } catch (error) {
      await progress.end();
      await this.#fail(record, run, turn, error);
    } finally {
      clearTimeout(limit);
      clearInterval(pulse);
      await laidOut?.remove().catch(() => undefined);
      await outcome?.release?.().catch(() => undefined);
    }
  }

  /** Runs the executor; after an abort it has the grace time to settle, and then is left alone. */
  async #execute(run: Run, start: () => Promise<JobOutcome>): Promise<JobOutcome> {
    const { signal } = run.controller;
    const work = start();
    const aborted = new Promise<never>((_resolve, reject) => {
      const giveUp = (): void => {
        setTimeout(() => reject(signal.reason), this.#context.timing.abortGraceMs).unref();
      };
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
    // Late settling after the grace time must neither be lost as an unhandled rejection nor leave a folder behind.
    let waiting = true;
    work
      .then(
        (late) => (waiting ? undefined : late.release?.()),
        () => undefined,
      )
      .catch(() => undefined);
    aborted.catch(() => undefined);
    try {
      const outcome = await Promise.race([work, aborted]);
      // Work that ended all the same during a drain is a result; after a cancel or time-out it is not.
      if (!signal.aborted || run.cause === 'drain') return outcome;
      await outcome.release?.().catch(() => undefined);
      throw signal.reason;
    } finally {
      waiting = false;
    }
  }

  async #succeed(record: JobRecord, run: Run, outcome: JobOutcome): Promise<void> {
    const { jobs, changes, log } = this.#context;
    const kept = await keepOutcome(this.#context, record.jobId, outcome, (work) => this.#patiently(work));
    const written = await this.#patiently(() =>
      jobs.update(record.id, { set: kept.fields }, { attempt: run.attempt, complete: false }),
    );
    if (!written) {
      // The fence: a later start, or a cancel, owns the record now. What this one made is nobody's.
      log.warn({ jobId: record.jobId }, 'a late result was dropped');
      await dropResults(this.#context, kept.blobIds);
      if (run.cause === 'cancelled') this.#dropInputs(record);
      return;
    }
    await outcome.kept?.();
    this.#ended(record, written);
    changes.notify(record.jobId);
  }

  async #fail(record: JobRecord, run: Run, turn: Turn, thrown: unknown): Promise<void> {
    const { jobs, changes, log, attempts } = this.#context;
    if (run.cause === 'lost') return;
    if (run.cause === 'cancelled') return this.#dropInputs(record);
    const error =
      run.cause === 'timeout'
        ? new OperationalError('TIMEOUT', { seconds: Math.round(this.#context.settings.timeoutMs / 1000) })
        : thrown;
    const fence = { attempt: run.attempt, complete: false };
    const code = isQuireError(error) ? error.code : undefined;
    const uncounted =
      run.cause === 'drain' || (code !== undefined && notNow.has(code) && record.returns < greatestReturns);
    if (
      uncounted ||
      (isQuireError(error) &&
        run.cause === undefined &&
        errorRow(error.code).retryable === true &&
        record.attempts < attempts)
    ) {
      const back = {
        set: { status: 'queued', attempt: null, heartbeatAtMs: null, progress: 0, step: null },
        inc: uncounted ? { attempts: -1, returns: 1 } : { returns: 1 },
      } as const;
      if (await this.#patiently(() => jobs.update(record.id, back, fence)))
        turn.again(run.cause === 'drain' ? 0 : 2000);
      log.info({ jobId: record.jobId, code, drained: run.cause === 'drain' }, 'a job went back to the queue');
      changes.notify(record.jobId);
      return;
    }
    if (!isQuireError(error)) log.error({ jobId: record.jobId, err: error }, 'a job failed by a defect');
    const written = await this.#patiently(() =>
      jobs.update(record.id, { set: failureFields(this.#context, error) }, fence),
    );
    this.#ended(record, written);
    changes.notify(record.jobId);
  }

  /**
   * What follows an end that was written; none was, where `written` is missing. `record`: as it was before, with its
   * uploads.
   */
  #ended(record: JobRecord, written: JobRecord | undefined): void {
    if (written === undefined) return;
    this.#dropInputs(record);
    this.#context.onEnd(written);
  }

  /** Keeps the lock and the heartbeat, and notices when the record has another owner. */
  async #pulse(run: Run, turn: Turn): Promise<void> {
    await turn.touch();
    await this.#fenced(run, { heartbeatAtMs: this.#context.steady.now() });
  }

  async #recordProgress(run: Run, fields: Partial<JobRecord>): Promise<void> {
    await this.#fenced(run, fields);
    this.#context.changes.notify(run.jobId);
  }

  async #fenced(run: Run, set: Partial<JobRecord>): Promise<void> {
    try {
      if (await this.#context.jobs.update(run.jobId, { set }, { attempt: run.attempt, complete: false })) return;
      const record = await this.#context.jobs.get(run.jobId);
      this.#stop(run, record?.status === 'cancelled' ? 'cancelled' : 'lost');
    } catch {
      // The work goes on without the store.
    }
  }

  #stop(run: Run, cause: StopCause): void {
    if (run.controller.signal.aborted) return;
    run.cause = cause;
    const seconds = Math.round(this.#context.settings.timeoutMs / 1000);
    run.controller.abort(
      cause === 'timeout'
        ? new OperationalError('TIMEOUT', { seconds })
        : new OperationalError(cause === 'drain' ? 'SHUTTING_DOWN' : 'CANCELLED'),
    );
  }

  /** Repeats work of the store while the store is away, as long as patience lasts: a result is worth waiting for. */
  async #patiently<R>(work: () => Promise<R>): Promise<R> {
    const until = this.#context.steady.now() + this.#context.timing.patienceMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isQuireError(error) || error.code !== 'STORE_DOWN' || this.#draining || this.#context.steady.now() > until)
          throw error;
        await delay(1000);
      }
    }
  }

  /** Nobody waits for it but a shutdown: the next job can have the place meanwhile. */
  #dropInputs(record: JobRecord): void {
    const drop = dropUploads(this.#context, record.inputs).finally(() => this.#drops.delete(drop));
    this.#drops.add(drop);
  }
}
