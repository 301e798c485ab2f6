import { lstat, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isQuireError, type Principal } from '@quire/registry';
import type { PipelineReport } from '../operations/pipelines/index.js';
import { HeldLease } from './folder-lease.js';
import { FolderProblem, problemOf } from './folder-problem.js';
import { judgeFiles, listFolder, type Listing, type ReadyFile } from './folder-listing.js';
import { finishRun, putBack, removePartFiles } from './finish-run.js';
import type { FolderRunTask, WatchedFolderDeps } from './folder-run-deps.js';
import { performRun, placeOf } from './folder-run.js';
import { moveFile, ownFolder } from './moves.js';
import { isWaiting } from './pipeline-work.js';
import { ProblemBoard } from './problem-board.js';
import { readDefinition, type FolderDefinition } from './read-definition.js';
import { SettleWatch, markOf } from './readiness.js';
import { RunJournal, removeRun, type RunInput } from './run-journal.js';
import { RunQueue, type QueuedRun } from './run-queue.js';

/** The data for all runs that one look starts. */
interface Plan {
  /** Monotonic ms. */
  readonly at: number;
  readonly definition: FolderDefinition;
  readonly report: PipelineReport;
  readonly principal: Principal;
}

/** A run that was interrupted before its end was decided. */
interface OpenRun {
  readonly journal: RunJournal;
  readonly inputs: readonly RunInput[];
}

/** A batch waits at most this long for files that arrive one after another, ms. */
const LONGEST_GATHERING_MS = 60_000;
const SHORTEST_REST_MS = 100;
const BUSY_REST_MS = 500;
const LEASE_RETRY_MS = 5000;
/** Starts after which a run works alone, so that a run that crashes the server does not count against others. */
const SUSPECT_ATTEMPTS = 3;

/** A folder with a pipeline: waits until its files are complete, takes them and runs the pipeline over them. */
export class WatchedFolder {
  readonly #settle: SettleWatch;
  readonly #problems: ProblemBoard;
  /** Folders of runs that are active in this process. */
  readonly #active = new Set<string>();
  /** Ids of runs of this process; all others were left by an earlier process or another node. */
  readonly #ours = new Set<string>();
  readonly #runs: RunQueue;
  readonly #lease: HeldLease;
  /** Names of inputs that wait or are being taken. */
  readonly #queued = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Infinity;
  #looking: Promise<void> | undefined;
  #again = false;
  #backoffMs = 0;
  #restUntil = 0;
  #gatheringSince: number | undefined;
  #ended = false;

  /** `fromRoot`: the path relative to the watched root. */
  constructor(
    readonly path: string,
    private readonly fromRoot: string,
    private readonly deps: WatchedFolderDeps,
  ) {
    this.#settle = new SettleWatch(deps.settings.readiness);
    this.#problems = new ProblemBoard(path, deps.settings.reportFolder, deps.log, deps.clock);
    this.#lease = new HeldLease(path, fromRoot, deps.lease);
    this.#runs = new RunQueue({
      parallel: deps.settings.parallel,
      stopping: deps.stopping,
      place: (signal) => deps.place(signal),
      ...(deps.planMs === undefined ? {} : { planMs: deps.planMs }),
      closed: () => this.#ended,
      // The next look plans outdated runs again, and releases the folder's lease if nothing is left to do.
      outdated: () => this.wake(),
      idle: () => this.wake(),
      succeeded: async () => {
        this.#backoffMs = 0;
        await this.#problems.clear();
      },
      failed: (error) => this.#fault(error),
    });
  }

  /** Schedules a look in this many ms, unless one is due earlier. */
  wake(afterMs = 0): void {
    if (this.deps.stopping.aborted || this.#ended) return;
    const due = performance.now() + Math.max(afterMs, SHORTEST_REST_MS);
    if (this.#timer !== undefined && this.#dueAt <= due) return;
    clearTimeout(this.#timer);
    this.#dueAt = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#dueAt = Infinity;
      this.#start();
    }, due - performance.now());
  }

  /** Stops for good: starts nothing new and waits for active runs. */
  async stop(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#runs.finished();
    await this.#lease.release();
  }

  #start(): void {
    if (this.#looking !== undefined) {
      this.#again = true;
      return;
    }
    this.#looking = this.#look()
      .catch((error: unknown) => this.#fault(error))
      .then((nextMs) => {
        this.#looking = undefined;
        // Thousands of files may arrive while others are processed; do not list the folder for each of them.
        if (this.#again) this.wake(this.#runs.waiting > 0 ? BUSY_REST_MS : 0);
        else if (nextMs !== undefined) this.wake(nextMs);
        this.#again = false;
      });
  }

  /** Looks once; returns the ms after which to look again, if any. */
  async #look(): Promise<number | undefined> {
    const { stopping, settings, clock } = this.deps;
    if (stopping.aborted || this.#runs.worksAlone) return undefined;
    const rest = this.#restUntil - performance.now();
    if (rest > 0) {
      if (!this.#runs.busy) await this.#lease.release();
      return rest;
    }
    const listing = await listFolder(this.path);
    const left = listing.runs.filter((run) => !this.#active.has(run));
    if (listing.files.length === 0 && left.length === 0 && listing.stranded.length === 0) {
      await this.#problems.clear();
      if (!this.#runs.busy) await this.#lease.release();
      return undefined;
    }
    // Runs whose end was decided before a crash need no pipeline, and are finished first.
    if (left.length > 0 || listing.stranded.length > 0) {
      if (!(await this.#lease.take())) return LEASE_RETRY_MS;
      await this.#tidy(listing, left);
    }
    const plan = await this.#plan(listing);
    const [first] = plan.report.steps;
    if (first === undefined) return undefined;
    const { ready, unsettled, nextMs } = await judgeFiles(
      listing.files.filter(({ name }) => name !== plan.definition.file && !this.#queued.has(name)),
      {
        folder: this.path,
        first,
        readiness: settings.readiness,
        otherFiles: settings.otherFiles,
        watch: this.#settle,
        nowMs: clock.now().getTime(),
        tick: performance.now(),
      },
    );
    const open = await this.#leftOpen(left);
    if (ready.length === 0 && open.length === 0) {
      await this.#problems.clear();
      if (!this.#runs.busy) await this.#lease.release();
      return nextMs;
    }
    const together = plan.report.steps.some(({ entry }) => entry.operation.files === 'all');
    if (together && open.length === 0 && this.#gathers(ready, unsettled)) return nextMs ?? SHORTEST_REST_MS;
    if (!(await this.#lease.take())) return LEASE_RETRY_MS;
    await ownFolder(join(this.path, 'processing'));
    const batches = together ? inBatches(ready, settings.maxBatch) : ready.map((file) => [file]);
    this.#gatheringSince = undefined;
    const suspects = open.filter(({ journal }) => journal.record.attempts >= SUSPECT_ATTEMPTS);
    // A run that may crash the server runs alone; the others follow with the next look.
    this.#runs.add(
      suspects.length > 0
        ? this.#resumed(plan, suspects, true)
        : [...this.#resumed(plan, open, false), ...this.#taken(plan, batches)],
    );
    return nextMs;
  }

  /** Returns true while a batch of files that are processed together should wait for those still arriving. */
  #gathers(ready: readonly ReadyFile[], unsettled: number): boolean {
    if (unsettled === 0 || ready.length === 0) return ready.length === 0;
    this.#gatheringSince ??= performance.now();
    return performance.now() - this.#gatheringSince < LONGEST_GATHERING_MS;
  }

  /** Reads the pipeline and verifies it completely for the account that it runs for. Throws FolderProblem. */
  async #plan({ files }: Listing): Promise<Plan> {
    const definition = await readDefinition(
      this.path,
      files.map(({ name }) => name),
    );
    try {
      const principal = await this.deps.principal();
      const plan = {
        at: performance.now(),
        definition,
        report: this.deps.pipelines.verify(definition.json, principal, false),
        principal,
      };
      placeOf({ watched: this.path, fromRoot: this.fromRoot, definition }, this.deps);
      return plan;
    } catch (error) {
      if (!isQuireError(error)) throw error;
      const kind =
        error.row.family === 'access'
          ? 'not-allowed'
          : error.code === 'PIPELINE_INVALID'
            ? 'pipeline-invalid'
            : 'failed';
      throw new FolderProblem(kind, `${definition.file}: ${error.message}`, error.errors, { cause: error });
    }
  }

  /** Finishes runs whose end was decided, and puts back files that were taken without a journal. */
  async #tidy({ stranded }: Listing, left: readonly string[]): Promise<void> {
    for (const run of left) {
      const journal = await RunJournal.open(run);
      if (journal === undefined) await putBack(this.deps, this.path, bareRun(run));
      else if (journal.record.ending !== undefined) await finishRun(this.deps, journal);
    }
    for (const path of stranded) {
      const free = await this.deps.names.reserve(this.path, basename(path));
      try {
        await moveFile(path, join(this.path, free));
      } finally {
        this.deps.names.release(this.path, free);
      }
      this.deps.log.info(
        { folder: this.path, file: free },
        'a file that another server left in processing was put back',
      );
    }
  }

  /** Returns runs that were interrupted before their end was decided. */
  async #leftOpen(left: readonly string[]): Promise<OpenRun[]> {
    const found: OpenRun[] = [];
    for (const run of left) {
      const journal = await RunJournal.open(run);
      if (journal === undefined || journal.record.ending !== undefined) continue;
      await removePartFiles(journal);
      const inputs = await journal.present();
      if (inputs.length === 0) await journal.remove();
      else found.push({ journal, inputs });
    }
    return found.sort((a, b) => b.journal.record.attempts - a.journal.record.attempts);
  }

  #resumed(plan: Plan, open: readonly OpenRun[], alone: boolean): QueuedRun[] {
    return open.map(({ journal, inputs }) => {
      this.#active.add(journal.folder);
      return {
        alone,
        plannedAt: plan.at,
        run: () => this.#resume(plan, journal, inputs),
        done: () => void this.#active.delete(journal.folder),
      };
    });
  }

  #taken(plan: Plan, batches: readonly (readonly ReadyFile[])[]): QueuedRun[] {
    return batches.map((files) => {
      for (const { name } of files) this.#queued.add(name);
      return {
        alone: false,
        plannedAt: plan.at,
        run: () => this.#take(plan, files),
        done: () => files.forEach(({ name }) => this.#queued.delete(name)),
      };
    });
  }

  /**
   * Takes complete files: writes the journal first, then renames each file. Files that are gone or have changed are
   * left for the next look.
   */
  async #take(plan: Plan, files: readonly ReadyFile[]): Promise<void> {
    const { clock, stopping } = this.deps;
    if (stopping.aborted) return;
    const processing = await ownFolder(join(this.path, 'processing'));
    const inputs = files.map(({ name, mark, unsuitable }): RunInput => ({
      name,
      mark,
      ...(unsuitable ? { unsuitable } : {}),
    }));
    const journal = RunJournal.prepare(
      processing,
      inputs,
      [placeOf({ ...plan, watched: this.path, fromRoot: this.fromRoot }, this.deps)],
      clock.now(),
    );
    this.#active.add(journal.folder);
    this.#ours.add(journal.record.id);
    try {
      await journal.create();
      const taken: RunInput[] = [];
      for (const [index, { raw, name }] of files.entries()) {
        const from = Buffer.concat([Buffer.from(`${this.path}/`), raw]);
        const input = inputs[index];
        if (input === undefined || !(await this.#isAs(from, input.mark))) continue;
        const to = join(journal.inputs, name);
        try {
          await rename(from, to);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
          throw error;
        }
        taken.push(input);
      }
      if (taken.length === 0) await journal.remove();
      else await performRun(this.deps, this.#task(plan), journal, taken);
      this.#ours.delete(journal.record.id);
    } finally {
      this.#active.delete(journal.folder);
    }
  }

  async #isAs(path: Buffer, mark: string): Promise<boolean> {
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    return stats !== undefined && stats.isFile() && markOf(stats) === mark;
  }

  /** Starts a run again that was interrupted or had to wait. */
  async #resume(plan: Plan, journal: RunJournal, inputs: readonly RunInput[]): Promise<void> {
    const { id, attempts } = journal.record;
    const place = placeOf({ ...plan, watched: this.path, fromRoot: this.fromRoot }, this.deps);
    if (!this.#ours.has(id)) {
      this.deps.log.info(
        { folder: this.path, run: id, attempts, inputs: inputs.length },
        'an interrupted run starts again',
      );
      await journal.update({ attempts: attempts + 1, places: [place] });
      this.#ours.add(id);
    } else if (journal.record.places.at(-1) !== place) await journal.update({ places: [place] });
    await performRun(this.deps, this.#task(plan), journal, inputs);
    this.#ours.delete(id);
  }

  #task(plan: Plan): FolderRunTask {
    return {
      ...plan,
      watched: this.path,
      fromRoot: this.fromRoot,
      signal: this.deps.kill,
      stillOurs: () => this.#lease.isHeld(),
    };
  }

  /**
   * Handles an error that is not caused by the inputs: reports it once and returns the delay before the next try, which
   * grows.
   */
  async #fault(error: unknown): Promise<number | undefined> {
    const gone = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
    if (gone && (await lstat(this.path).catch(() => undefined)) === undefined) return undefined;
    const problem = problemOf(error);
    if (problem.kind === 'failed' && !isWaiting(error))
      this.deps.log.error({ err: error, folder: this.path }, 'a watched folder failed because of a defect');
    await this.#problems.report(problem);
    if (!this.#runs.busy) await this.#lease.release();
    // A wrong pipeline is checked again when its file changes; other problems may disappear on their own, so retry.
    this.#backoffMs = Math.min(60_000, Math.max(1000, this.#backoffMs * 2));
    if (!['no-pipeline', 'several-pipelines', 'pipeline-invalid', 'output-refused'].includes(problem.kind))
      this.#restUntil = performance.now() + this.#backoffMs;
    return this.#backoffMs;
  }
}

function inBatches(files: readonly ReadyFile[], most: number): ReadyFile[][] {
  return Array.from({ length: Math.ceil(files.length / most) }, (_, index) =>
    files.slice(index * most, (index + 1) * most),
  );
}

/** A run folder without a readable journal: the server stopped before it was written. */
function bareRun(folder: string): { readonly inputs: string; remove(): Promise<void> } {
  return { inputs: join(folder, 'in'), remove: () => removeRun(folder) };
}
