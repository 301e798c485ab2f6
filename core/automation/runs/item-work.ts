import { InputError, isQuireError, sniffKind, type Principal, type QuireError } from '@quire/registry';
import { reviveError } from '@quire/registry/errors';
import { cleanFileName, readHead } from '../../operations/runner/index.js';
import { isWaiting, type DroppedFile } from '../../operations/pipelines/index.js';
import type { JobRecord } from '../../jobs/index.js';
import type { FoundFile } from '../connectors/model.js';
import { runIdOf, UPLOADED, type ItemRecord } from '../items/item-record.js';
import { noJob, reasonOf, type ItemChange } from '../items/item-store.js';
import { admitContent } from './admit-content.js';
import { deliverResult } from './deliver-result.js';
import { isDoneElsewhere } from './done-elsewhere.js';
import { endOf, NotNow, ParkedError, WorkLeft } from './item-ends.js';
import type { ItemWorkDeps } from './item-work-deps.js';
import type { JobGroup } from './job-group.js';
import { ownResult } from './own-result.js';
import type { RunRecord } from './run-records.js';

/** How long results are kept after an attempt to deliver them that failed; the next one follows within two hours. */
const KEPT_MS = 7 * 86_400_000;
/** During a delivery that takes long. */
const KEEP_AGAIN_MS = 60_000;

/** The work on one claimed file, from its source to its destinations. */
export class ItemWork {
  #item: ItemRecord;
  /** Changes that are stored with the next one: each write costs as much as a step of a small file. */
  #unsaved: ItemChange = {};
  /** Its finished job, when this work has waited for it. */
  #job: JobRecord | undefined;
  /** What its run produced; stored with the end of the run. */
  #produced: Pick<RunRecord, 'outputs' | 'warnings' | 'steps'> = { outputs: [], warnings: [] };

  constructor(
    private readonly deps: ItemWorkDeps,
    item: ItemRecord,
    private readonly group: JobGroup,
  ) {
    this.#item = item;
  }

  /**
   * Resolves to false when the file was left as it is, for whoever looks at it next: after an abort, and when its claim
   * was lost. Never rejects.
   */
  async run(): Promise<boolean> {
    const { signal, log, automation, touched } = this.deps;
    try {
      const principal = await this.group.principal();
      if (this.#item.state === 'running') await this.#process(principal);
      else this.group.leave(this.#item.id);
      // Brief ones at once, so that their changes are written together.
      if (this.#isBrief()) await this.#deliver(principal);
      else await this.group.inTurn(() => this.#deliver(principal));
      const finished = await this.#finish(principal);
      await this.#end({ state: 'delivered', reason: null, finished, ...replacedIn(this.#item) });
    } catch (error) {
      if (error instanceof WorkLeft) return error.settled;
      if (signal.aborted) return false;
      try {
        await this.#failed(error);
      } catch (failure) {
        const about = { err: failure, automation: automation.id };
        log.warn(about, 'the end of a file could not be stored; it is tried again');
        return false;
      }
    } finally {
      this.group.leave(this.#item.id);
      touched(automation.id);
    }
    return true;
  }

  /** Runs the pipeline; afterwards the item is delivering. */
  async #process(principal: Principal): Promise<void> {
    const { signal, clock, touched, automation } = this.deps;
    const known = this.#item.jobId;
    const started = known === null ? await this.#start(principal) : undefined;
    const record = await leftRunning(async () => {
      // Whoever has the automation now notes the run.
      if (started !== undefined && !signal.aborted) await this.#noteRun(started.bytes);
      touched(automation.id);
      return known === null ? this.group.finished() : this.#finished(known);
    });
    // The server stops, or this node has lost the automation.
    if (signal.aborted || record?.complete === false) throw new WorkLeft();
    if (record === undefined) return this.#startAgain();
    const own = ownResult(record, this.#item.part ?? null);
    if (own === undefined) return this.#startAgain(true);
    const { failure, files, dropped, report } = own;
    this.#produced = { outputs: [], ...report };
    if (record.status === 'cancelled' && !(await leftRunning(() => this.#wasMeant(record)))) return this.#startAgain();
    if (record.status === 'cancelled') throw new ParkedError('CANCELLED', 'The run was cancelled.');
    if (failure?.code === 'JOB_FILE_LOST') return this.#startAgain(true);
    if (failure !== null) await this.#refuse(record, reviveError(failure));
    if (files.length === 0) refuseDropped(dropped);
    this.#job = record;
    const since = clock.now().getTime();
    const change = { state: 'delivering', hasResult: true, since, failures: 0, reason: null } as const;
    if (this.#isBrief()) this.#setLater(change);
    else await leftRunning(() => this.#set(change));
  }

  /** Waits for a job that another process has started, or that was uploaded; undefined if it never was. */
  async #finished(jobId: string): Promise<JobRecord | undefined> {
    const jobs = await this.deps.jobs();
    const isUpload = this.#item.sourceId === UPLOADED;
    // While a job runs that the automation has started, it has one of its places.
    if (isUpload) this.group.leave(this.#item.id);
    try {
      // The process may have ended between the note of the place, the start of the job and the note of the run.
      if ((await jobs.get(jobId)) === undefined) return undefined;
      if (!isUpload && (await this.deps.runs.get(runIdOf(this.#item) ?? '')) === undefined)
        await this.#noteRun(this.#item.size);
      return await jobs.finished(jobId, this.deps.signal);
    } finally {
      this.group.leave(this.#item.id);
    }
  }

  /** Whether the job was cancelled because of this file, and not of another one in it. */
  async #wasMeant({ jobId }: JobRecord): Promise<boolean> {
    const { runs, automation, clock } = this.deps;
    if ((this.#item.part ?? null) === null || !(await runs.someCancelled(automation.id, jobId))) return true;
    const runId = runIdOf(this.#item) ?? '';
    if ((await runs.get(runId)) === undefined) return false;
    return !(await runs.failUncancelled(runId, clock.now().getTime()));
  }

  /** What has failed among others may have failed because of them: it is tried by itself, and that does not count. */
  async #refuse({ failure: ofAll }: JobRecord, error: QuireError): Promise<void> {
    const shared = (this.#item.part ?? null) !== null && (ofAll !== null || error.row.retryable === true);
    if (!shared || isWaiting(error)) throw error;
    await this.#end({ state: 'waiting', alone: true, reason: reasonOf(error.code, error.message) });
    throw new WorkLeft(true);
  }

  /** Starts the job of this attempt, by itself or together with other files; returns the size of the file. */
  async #start(principal: Principal): Promise<{ readonly bytes: number }> {
    const { group } = this;
    if (this.#item.sourceId === UPLOADED)
      throw new ParkedError('RESULT_GONE', 'The uploaded files are no longer kept; upload them again.');
    const path = await group.filePath();
    const name = cleanFileName(this.#item.name);
    const { size, sha256 } = await group.inTurn(async () => {
      const fetched = await this.#take(principal, path);
      if (fetched.size === 0)
        throw new InputError('INPUT_FILE_EMPTY', { field: 'fileInput' }, [
          { pointer: '/fileInput', detail: `${name} is empty` },
        ]);
      await this.#admit(fetched.sha256, principal);
      return fetched;
    });
    await group.join({
      item: this.#item,
      input: { field: 'fileInput', name, kind: sniffKind(await readHead(path), name) ?? 'bin', path, sha256 },
      settle: (place) => this.#set({ ...place, sha256 }),
    });
    return { bytes: size };
  }

  async #take(principal: Principal, path: string): Promise<{ readonly size: number; readonly sha256: string }> {
    const { connectors, listAgain, items } = this.deps;
    const source = await connectors.source(this.#item.sourceId, principal).catch((error: unknown) => {
      if (isQuireError(error) && error.row.status < 500)
        throw new NotNow(error.code, `The source cannot be opened: ${error.message}`, { cause: error });
      throw error;
    });
    const fetched = await source.fetch(fileOf(this.#item), path);
    if (fetched !== undefined) return fetched;
    // It was removed or has changed since it was listed.
    listAgain(this.#item.sourceId);
    await items.forget(this.#item);
    throw new WorkLeft(true);
  }

  /** Leaves the work when the content is not to be processed. */
  async #admit(sha256: string, principal: Principal): Promise<void> {
    const { items, clock, automation } = this.deps;
    const lineage = await items.lineageOf(sha256, clock.now().getTime());
    // Others compare their content with that of this file.
    if (lineage.length > 0 || automation.content.once === 'content')
      await this.#set({ sha256, lineage: lineage.join(' ') });
    const admission = await admitContent(this.deps, this.#item, sha256, lineage);
    if (admission === 'process') return;
    await this.#end(admission.end);
    if (admission.finish) await this.#finishEnded(principal);
    throw new WorkLeft(true);
  }

  /**
   * Removes a file from its source that ended without a job. Its end is stored first: after a crash, a file that is
   * gone looks as if somebody had taken it back. Where this fails, the next listing of the source does it.
   */
  async #finishEnded(principal: Principal): Promise<void> {
    const { items, log, automation } = this.deps;
    const { id, version } = this.#item;
    try {
      if (await this.#finish(principal))
        await items.changeWhen(id, { state: 'delivered', version }, { finished: true });
    } catch (error) {
      log.info({ err: error, automation: automation.id }, 'a file that was delivered is removed from its source later');
    }
  }

  async #noteRun(bytes: number): Promise<void> {
    const { runs, tallies, clock } = this.deps;
    const { id, automationId, trigger, name, attempts, jobId } = this.#item;
    const runId = runIdOf(this.#item);
    if (runId === null || jobId === null) return;
    tallies.add(automationId, 'runs');
    await runs.put({
      id: runId,
      ...(runId === jobId ? {} : { jobId }),
      automationId,
      itemId: id,
      startedBy: '',
      trigger,
      inputs: [name],
      bytes,
      attempt: attempts,
      state: 'running',
      startedAt: clock.now().getTime(),
      endedAt: null,
      stepCount: await this.group.stepCount(),
      outputs: [],
      warnings: [],
      code: null,
      detail: null,
    });
  }

  /** The results are gone before they were delivered: the pipeline runs again. */
  async #startAgain(alone = false): Promise<never> {
    if (this.#item.sourceId === UPLOADED)
      throw new ParkedError('RESULT_GONE', 'The results were removed before they were delivered; upload them again.');
    await this.#end({ state: 'waiting', ...noJob, ...(alone ? { alone } : {}) });
    throw new WorkLeft(true);
  }

  async #deliver(principal: Principal): Promise<void> {
    const { automation } = this.deps;
    const { jobId } = this.#item;
    this.#job ??= jobId === null ? undefined : await (await this.deps.jobs()).get(jobId);
    const record = this.#job;
    if (record?.status !== 'succeeded' || jobId === null) return this.#startAgain();
    const own = ownResult(record, this.#item.part ?? null);
    if (own === undefined) return this.#startAgain(true);
    const { files, report } = own;
    this.#produced = { outputs: [], ...report };
    const keeping = setInterval(() => void this.#keepResult(), KEEP_AGAIN_MS).unref();
    const work = { item: this.#item, record, files };
    const store = {
      set: (change: ItemChange) => this.#set(change),
      setLater: (change: ItemChange) => this.#setLater(change),
    };
    const outputs = await deliverResult(this.deps, work, principal, store).finally(() => clearInterval(keeping));
    this.#produced = { ...this.#produced, outputs };
    if (automation.content.once === 'content') await this.deps.items.keepContent(this.#item);
  }

  /** Without its results, the pipeline would have to run again, and be paid for again. */
  async #keepResult(): Promise<void> {
    const { log, automation } = this.deps;
    const { jobId } = this.#item;
    try {
      if (jobId !== null) await (await this.deps.jobs()).keep(jobId, KEPT_MS);
    } catch (error) {
      log.warn(
        { err: error, automation: automation.id },
        'results that are not delivered yet could not be kept longer',
      );
    }
  }

  /** Tells the source that the file is done with, unless another automation waits for it; returns whether it did. */
  async #finish(principal: Principal): Promise<boolean> {
    const { connectors, listAgain, signal } = this.deps;
    const { sourceId } = this.#item;
    if (sourceId === UPLOADED) return true;
    // Also where another one waits: when both end at once, the listing finds out that nobody waits any more.
    listAgain(sourceId);
    if (!(await isDoneElsewhere(this.deps, this.#item))) return false;
    signal.throwIfAborted();
    await (await connectors.source(sourceId, principal)).finish(fileOf(this.#item));
    return true;
  }

  async #failed(error: unknown): Promise<void> {
    const { automation, clock, log, tallies } = this.deps;
    const end = endOf(this.#item, error, automation.content.retry, clock.now().getTime());
    if (end.reason?.code === 'INTERNAL')
      log.error({ err: error, automation: automation.id }, 'a file of an automation failed unexpectedly');
    if (this.#item.state === 'delivering') await this.#keepResult();
    if (end.state === 'parked') tallies.add(automation.id, 'failures');
    await this.#end(end);
  }

  /** Gives up the claim, and ends the run. */
  async #end(set: ItemChange): Promise<void> {
    const { runs, clock, automation } = this.deps;
    const now = clock.now().getTime();
    const { state, sourceId } = this.#item;
    const runId = runIdOf(this.#item);
    await this.#set({ since: now, nextAt: now, claim: '', ...set });
    // While it is delivered again later, its run goes on.
    if (runId === null || (state === 'delivering' && set.state === 'delivering')) return;
    const reason = set.reason ?? null;
    const failed = set.state !== 'delivered';
    await runs.change(runId, {
      state: !failed ? 'completed' : reason?.code === 'CANCELLED' ? 'cancelled' : 'failed',
      endedAt: now,
      ...this.#produced,
      ...(failed ? { code: reason?.code ?? 'RESULT_GONE', detail: reason?.detail ?? null } : {}),
    });
    // What is delivered is not kept twice, unless a caller waits for the job.
    if (!failed && automation.content.destinations.length > 0 && sourceId !== UPLOADED)
      await this.group.delivered(this.#item);
  }

  /** Whether all deliveries take milliseconds. A crash before the first one is found out by its job. */
  #isBrief(): boolean {
    const { automation, kinds } = this.deps;
    return automation.content.destinations.every(({ type }) => kinds.destinations.get(type)?.brief === true);
  }

  #setLater(set: ItemChange): void {
    this.#unsaved = { ...this.#unsaved, ...set };
    this.#item = { ...this.#item, ...set };
  }

  async #set(set: ItemChange): Promise<void> {
    const changed = await this.deps.items.change(this.#item, { ...this.#unsaved, ...set });
    if (changed === undefined) throw new WorkLeft();
    this.#unsaved = {};
    this.#item = { ...changed, claim: this.#item.claim };
  }
}

/** Work on a file whose job was started. If the store is away, that job is found again later, and not repeated. */
async function leftRunning<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isQuireError(error) && error.code === 'STORE_DOWN') throw new WorkLeft();
    throw error;
  }
}

function fileOf({ key, name, size, version, changedAt }: ItemRecord): FoundFile {
  return { key, name, size, version, changedAt };
}

/** The version that a destination has given to the file itself, which is not new then. */
function replacedIn({ deliveries }: ItemRecord): Pick<ItemChange, 'version'> {
  const version = deliveries.findLast(({ inputVersion }) => inputVersion !== undefined)?.inputVersion;
  return version === undefined ? {} : { version };
}

/** A file of a type that a step does not accept is a failure: nobody reads the report of the run. */
function refuseDropped(dropped: readonly DroppedFile[]): void {
  const wrong = dropped.find(({ reason }) => reason === 'kind');
  if (wrong === undefined) return;
  throw new ParkedError('INPUT_KIND', `${wrong.operation} (step ${wrong.step + 1}) does not accept ${wrong.file}.`);
}
