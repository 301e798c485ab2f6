import { setTimeout as delay } from 'node:timers/promises';
import { errorRow, isQuireError, OperationalError } from '@quire/registry/errors';
import { WorkClock } from '../semaphore/index.js';
import type { Turn } from './queue/agenda-queue.js';
import { JobClaims } from './claims/job-claims.js';
import {
  type EndFields,
  dropResults,
  dropUploads,
  failureFields,
  hasEnd,
  keepOutcome,
  storeEnd,
} from './job-endings.js';
import type { FileContents } from '../store/index.js';
import type { JobExecutor, JobOutcome } from './job-executor.js';
import type { Needs } from './cluster/index.js';
import { layOutInputs, type LaidOutInputs } from './files/job-inputs.js';
import type { JobFacts } from './job-facts.js';
import { JobCancels } from './changes/job-cancels.js';
import type { JobContext } from './job-options.js';
import type { JobPlaces } from './claims/job-places.js';
import { localProgress } from './job-progress.js';
import type { JobRecord } from './job-record.js';
import { jobWork } from './job-secret.js';
import { runUntilAborted } from './run-until-aborted.js';

/** Why a run was stopped. */
type StopCause = 'cancelled' | 'timeout' | 'drain' | 'lost';

interface Run {
  readonly jobId: string;
  readonly claimId: string;
  readonly controller: AbortController;
  cause: StopCause | undefined;
  /** Whether the final state is stored; only temporary files are left to be removed. */
  ended: boolean;
  readonly done: Promise<void>;
}

/** Returns what is known of a run, null if nothing is. */
type ReadFacts = (failure?: unknown) => JobFacts | null;

export interface RunnerOptions {
  readonly context: JobContext;
  readonly execute: JobExecutor;
  readonly secretKey: Buffer;
  readonly temporaryFolder: string | undefined;
  /** True if other servers share the store: a running job may belong to one of them. */
  readonly shared: boolean;
  readonly places: JobPlaces;
  /** Returns the needs that this node does not meet. */
  unmetHere(needs: Needs): Needs;
}

/** Codes that mean "not now": such a start does not count as an attempt. */
const notNow = new Set(['QUEUE_FULL', 'SHUTTING_DOWN', 'STORE_DOWN']);
const greatestReturns = 200;

/** Runs jobs whose turn has come, and keeps their records correct in every case. */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #context: JobContext;
  readonly cancels: JobCancels;
  readonly #runs = new Map<string, Run>();
  /** Uploads that are being deleted. */
  readonly #drops = new Set<Promise<void>>();
  readonly #claims: JobClaims;
  #draining = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#context = options.context;
    this.#claims = new JobClaims({
      ...options,
      stopping: () => this.#draining,
      ended: (before, written) => this.#ended(before, written),
    });
    this.cancels = new JobCancels(this.#context, this);
  }

  /** Number of jobs that run in this process. */
  get running(): number {
    return this.#runs.size;
  }

  isRunning(jobId: string): boolean {
    return this.#runs.has(jobId);
  }

  /** True until the final state of a job that runs in this process is stored. */
  isWorking(jobId: string): boolean {
    return this.#runs.get(jobId)?.ended === false;
  }

  /** Stops a job if it runs in this process. */
  abort(jobId: string): void {
    const run = this.#runs.get(jobId);
    if (run) this.#stop(run, 'cancelled');
  }

  /** Waits for running jobs, then puts the rest back in the queue. */
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

  /** Claims the job, runs it and records its end. Never leaves a record in `running` that nobody works on. */
  async run(jobId: string, turn: Turn): Promise<void> {
    // Agenda can start the same job twice (after a clock jump, or while the store was unreachable): the second call
    // waits for the first.
    const mine = this.#runs.get(jobId);
    if (mine) return mine.done;
    if (this.#draining) return turn.again(0);
    const claimed = await this.#claims.claim(jobId, turn);
    if (!claimed) return;
    this.#context.changes.notifyAll(jobId);
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    const run: Run = {
      jobId,
      claimId: claimed.claimId ?? '',
      controller: new AbortController(),
      cause: undefined,
      ended: false,
      done,
    };
    this.#runs.set(jobId, run);
    if (this.#options.shared && this.#runs.size === 1) this.cancels.start();
    try {
      await this.#work(claimed, run, turn);
    } finally {
      this.#runs.delete(jobId);
      if (this.#runs.size === 0) this.cancels.stop();
      this.#context.changes.wakeAll();
      if (claimed.callbackState !== undefined) this.#context.changes.ended(jobId);
      end();
    }
  }

  async #work(record: JobRecord, run: Run, turn: Turn): Promise<void> {
    const { settings, timing } = this.#context;
    const { limitMs, totalTimes } = settings.limit;
    const runs = record.each === true ? Math.max(1, record.inputs.length) : 1;
    const clock = new WorkClock({ limitMs: limitMs * runs, totalTimes });
    clock.signal.addEventListener('abort', () => this.#stop(run, 'timeout', clock.signal.reason), { once: true });
    const pulse = setInterval(() => void this.#pulse(run, turn), timing.touchMs);
    let facts: ReadFacts = () => null;
    const progress = localProgress((fields) =>
      this.#recordProgress(run, fields.step === undefined ? fields : { ...fields, facts: facts() }),
    );
    let laidOut: LaidOutInputs | undefined;
    let outcome: JobOutcome | undefined;
    try {
      laidOut = await this.#patiently(() =>
        layOutInputs(this.#context.blobs, record.inputs, {
          isCached: this.#context.cached.delete(record.id),
          temporaryFolder: this.#options.temporaryFolder,
          attached: () => this.#context.attached.of(record),
        }),
      );
      const work = jobWork(this.#options.secretKey, record, laidOut.inputs);
      const { signal } = run.controller;
      outcome = await runUntilAborted(
        clock.run(() =>
          this.#options.execute(work, {
            signal,
            limit: settings.limit,
            progress: progress.progress,
            step: progress.step,
            facts: (read) => (facts = read),
          }),
        ),
        { signal, graceMs: timing.abortGraceMs, isResult: () => !signal.aborted || run.cause === 'drain' },
      );
      await progress.end();
      await this.#succeed(record, run, outcome);
    } catch (error) {
      await progress.end();
      await this.#fail(record, run, turn, { thrown: error, facts });
    } finally {
      clock.stop();
      clearInterval(pulse);
      await laidOut?.remove().catch(() => undefined);
      await outcome?.release?.().catch(() => undefined);
    }
  }

  async #succeed(record: JobRecord, run: Run, outcome: JobOutcome): Promise<void> {
    const { changes, log } = this.#context;
    const kept = await keepOutcome(this.#context, outcome, (work) => this.#patiently(work));
    const written = await this.#storeEnd(record, run, kept.fields, kept.files);
    if (!written) {
      // A later start or a cancel owns the record now, so this result is dropped.
      log.warn({ jobId: record.jobId }, 'a late result was dropped');
      await dropResults(this.#context, kept.blobIds);
      if (run.cause === 'cancelled') this.#dropInputs(record);
      return;
    }
    await outcome.kept?.();
    this.#ended(record, written);
    changes.notify(record.jobId);
  }

  async #fail(
    record: JobRecord,
    run: Run,
    turn: Turn,
    { thrown, facts }: { readonly thrown: unknown; readonly facts: ReadFacts },
  ): Promise<void> {
    const { jobs, changes, log, attempts } = this.#context;
    if (run.cause === 'lost') return;
    if (run.cause === 'cancelled') return this.#dropInputs(record);
    const error: unknown = run.cause === 'timeout' ? run.controller.signal.reason : thrown;
    const fence = { claimId: run.claimId, complete: false };
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
        set: { status: 'queued', claimId: null, place: null, heartbeatAtMs: null, progress: 0, step: null },
        inc: uncounted ? { attempts: -1, returns: 1 } : { returns: 1 },
      } as const;
      const isBack = await this.#written(
        () => jobs.update(record.id, back, fence),
        async () => {
          const found = await jobs.get(record.id);
          return found?.status === 'queued' && found.claimId === null ? found : undefined;
        },
      );
      if (isBack) turn.again(run.cause === 'drain' ? 0 : 2000);
      log.info({ jobId: record.jobId, code, drained: run.cause === 'drain' }, 'a job was put back in the queue');
      changes.notify(record.jobId);
      return;
    }
    if (!isQuireError(error)) log.error({ jobId: record.jobId, err: error }, 'a job failed because of a defect');
    const written = await this.#storeEnd(record, run, { ...failureFields(this.#context, error), facts: facts(error) });
    this.#ended(record, written);
    changes.notify(record.jobId);
  }

  /** Stores a final state; returns undefined if another start or a cancel owns the record. */
  #storeEnd(
    record: JobRecord,
    { claimId }: Run,
    fields: EndFields,
    files?: FileContents,
  ): Promise<JobRecord | undefined> {
    return this.#written(
      () => storeEnd(this.#context, record.id, fields, { claimId, complete: false }, files),
      async () => {
        const found = await this.#context.jobs.get(record.id);
        return found !== undefined && hasEnd(found, fields) ? found : undefined;
      },
    );
  }

  /**
   * Changes a record while the store is unreachable now and then. `find` returns it if it was changed: the store may
   * have done what it was asked for before, without an answer.
   */
  #written<R>(change: () => Promise<R | undefined>, find: () => Promise<R | undefined>): Promise<R | undefined> {
    let attempts = 0;
    return this.#patiently(async () => {
      attempts += 1;
      const written = await change();
      return written !== undefined || attempts === 1 ? written : find();
    });
  }

  /**
   * Called after a final state was written; `written` is undefined if it was not. `record` is the record before that,
   * with its uploads.
   */
  #ended(record: JobRecord, written: JobRecord | undefined): void {
    if (written === undefined) return;
    const run = this.#runs.get(record.id);
    if (run !== undefined) run.ended = true;
    this.#dropInputs(record);
    this.#context.onEnd(written);
  }

  /** Renews the lock and the heartbeat, and stops the run if another run owns the record. */
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
      if (await this.#context.jobs.update(run.jobId, { set }, { claimId: run.claimId, complete: false })) return;
      const record = await this.#context.jobs.get(run.jobId);
      this.#stop(run, record?.status === 'cancelled' ? 'cancelled' : 'lost');
    } catch {
      // The work continues without the store.
    }
  }

  #stop(
    run: Run,
    cause: StopCause,
    reason: unknown = new OperationalError(cause === 'drain' ? 'SHUTTING_DOWN' : 'CANCELLED'),
  ): void {
    if (run.controller.signal.aborted) return;
    run.cause = cause;
    run.controller.abort(reason);
  }

  /** Retries work while the store is unreachable, for at most `patienceMs`: a result is worth waiting for. */
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

  /** Not awaited except by a shutdown, so that the next job can start meanwhile. */
  #dropInputs(record: JobRecord): void {
    const drop = dropUploads(this.#context, record.inputs).finally(() => this.#drops.delete(drop));
    this.#drops.add(drop);
  }
}
