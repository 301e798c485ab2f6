import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { SettleWatch, markOf } from '../folders/index.js';
import { HeldFolder } from './folder-claim.js';
import { folderIdOf, type FolderPlace } from './overview/folder-id.js';
import { problemOf } from './folder-problem.js';
import { judgeFiles, listFolder, type ReadyFile } from './folder-listing.js';
import { isHandedOver } from './hand-over.js';
import { definitionIn, planFolder, type Plan } from './folder-plan.js';
import type { FolderRunTask, WatchedFolderDeps } from './folder-run-deps.js';
import { performRun, placeOf } from './folder-run.js';
import { FolderRuns, type PlannedRun } from './runs/folder-runs.js';
import { statusOf, type ShownPipeline } from './overview/folder-status.js';
import { ownFolder } from './moves.js';
import { isWaiting } from '../operations/pipelines/index.js';
import { ProblemBoard } from './problem-board.js';
import { openRuns, tidyFolder, type OpenRun } from './left-runs.js';
import { RunJournal, type RunInput } from './run-journal.js';

/** A batch waits at most this long for files that arrive one after another, ms. */
const LONGEST_GATHERING_MS = 60_000;
const SHORTEST_REST_MS = 100;
const BUSY_REST_MS = 500;
const ELSEWHERE_MS = 5000;
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
  readonly #runs: FolderRuns;
  readonly #claim: HeldFolder;
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
  #working = 0;
  /** Files that are not complete yet, or cannot be judged without a pipeline. */
  #unsettled = 0;
  #elsewhere = false;
  #pipeline: ShownPipeline | null = null;

  /** `path`: absolute; `place`: where it is below the watched roots. */
  constructor(
    readonly path: string,
    readonly place: FolderPlace,
    private readonly deps: WatchedFolderDeps,
  ) {
    this.#settle = new SettleWatch(deps.settings.readiness);
    this.#problems = new ProblemBoard(path, deps.settings.reportFolder, deps.log, deps.clock);
    this.#claim = new HeldFolder(path, place.path, deps.claim);
    this.#runs = new FolderRuns({
      places: deps.places,
      stopping: deps.stopping,
      ...(deps.planMs === undefined ? {} : { planMs: deps.planMs }),
      outdated: () => this.wake(),
      // The next look releases the folder if nothing is left to do.
      idle: () => this.wake(),
      succeeded: async () => {
        this.#backoffMs = 0;
        await this.#problems.clear();
        this.#show();
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
    await this.#runs.close();
    await this.#claim.release();
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
        this.#show();
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
      if (!this.#runs.busy) await this.#claim.release();
      return rest;
    }
    const listing = await listFolder(this.path);
    const left = listing.runs.filter((run) => !this.#active.has(run));
    this.#unsettled = 0;
    this.#elsewhere = false;
    const names = listing.files.map(({ name }) => name);
    if (left.length + listing.stranded.length === 0 && (names.length === 0 || (await isHandedOver(this.path, names)))) {
      this.#pipeline = null;
      await this.#problems.clear();
      if (!this.#runs.busy) await this.#claim.release();
      return undefined;
    }
    // Runs whose end was decided before a crash need no pipeline, and are finished first.
    if (left.length > 0 || listing.stranded.length > 0) {
      if (!(await this.#takeFolder())) return ELSEWHERE_MS;
      await tidyFolder(this.deps, this.path, listing, left);
    }
    this.#pipeline = null;
    // Should the pipeline have a problem, every document waits.
    this.#unsettled = listing.files.filter(({ name }) => !/\.json$/i.test(name)).length;
    const definition = await definitionIn(this.path, listing.files);
    this.#pipeline = { file: definition.file, name: definition.name };
    const plan = await planFolder({ path: this.path, fromRoot: this.place.path }, definition, this.deps);
    const { ready, unsettled, nextMs } = await judgeFiles(
      listing.files.filter(({ name }) => name !== plan.definition.file && !this.#queued.has(name)),
      {
        folder: this.path,
        accepted: plan.report.accepts,
        readiness: settings.readiness,
        otherFiles: settings.otherFiles,
        watch: this.#settle,
        nowMs: clock.now().getTime(),
        tick: performance.now(),
      },
    );
    this.#unsettled = unsettled;
    const open = await openRuns(left);
    if (ready.length === 0 && open.length === 0) {
      await this.#problems.clear();
      if (!this.#runs.busy) await this.#claim.release();
      return nextMs;
    }
    const together = plan.report.steps.some(({ entry }) => entry.operation.files === 'all');
    if (together && open.length === 0 && this.#gathers(ready, unsettled)) return nextMs ?? SHORTEST_REST_MS;
    if (!(await this.#takeFolder())) return ELSEWHERE_MS;
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

  async #takeFolder(): Promise<boolean> {
    const taken = await this.#claim.take();
    this.#elsewhere = !taken;
    return taken;
  }

  /** Reports what the folder is doing. */
  #show(): void {
    if (this.#ended) return;
    this.deps.observer?.changed(
      this.place,
      statusOf({
        running: this.#working,
        queued: this.#runs.waiting,
        unsettled: this.#unsettled,
        elsewhere: this.#elsewhere,
        pipeline: this.#pipeline,
        problem: this.#problems.current,
      }),
    );
  }

  async #counted(run: () => Promise<void>): Promise<void> {
    this.#working += 1;
    this.#show();
    try {
      await run();
    } finally {
      this.#working -= 1;
    }
  }

  /** Returns true while a batch of files that are processed together should wait for those still arriving. */
  #gathers(ready: readonly ReadyFile[], unsettled: number): boolean {
    if (unsettled === 0 || ready.length === 0) return ready.length === 0;
    this.#gatheringSince ??= performance.now();
    return performance.now() - this.#gatheringSince < LONGEST_GATHERING_MS;
  }

  #resumed(plan: Plan, open: readonly OpenRun[], alone: boolean): PlannedRun[] {
    return open.map(({ journal, inputs }) => {
      this.#active.add(journal.folder);
      return {
        alone,
        plannedAt: plan.at,
        run: (leave) => this.#counted(() => this.#resume(plan, journal, inputs, leave)),
        done: () => void this.#active.delete(journal.folder),
      };
    });
  }

  #taken(plan: Plan, batches: readonly (readonly ReadyFile[])[]): PlannedRun[] {
    return batches.map((files) => {
      for (const { name } of files) this.#queued.add(name);
      return {
        alone: false,
        plannedAt: plan.at,
        run: (leave) => this.#counted(() => this.#take(plan, files, leave)),
        done: () => files.forEach(({ name }) => this.#queued.delete(name)),
      };
    });
  }

  /**
   * Takes complete files: writes the journal first, then renames each file. Files that are gone or have changed are
   * left for the next look.
   */
  async #take(plan: Plan, files: readonly ReadyFile[], leave: () => void): Promise<void> {
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
      [placeOf({ ...plan, watched: this.path, fromRoot: this.place.path }, this.deps)],
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
      else await performRun(this.deps, this.#task(plan, false, leave), journal, taken);
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
  async #resume(plan: Plan, journal: RunJournal, inputs: readonly RunInput[], leave: () => void): Promise<void> {
    const { id, attempts } = journal.record;
    const place = placeOf({ ...plan, watched: this.path, fromRoot: this.place.path }, this.deps);
    if (!this.#ours.has(id)) {
      this.deps.log.info(
        { folder: this.path, run: id, attempts, inputs: inputs.length },
        journal.record.retryOf === undefined ? 'an interrupted run starts again' : 'failed files are processed again',
      );
      await journal.update({ attempts: attempts + 1, places: [place] });
      this.#ours.add(id);
    } else if (journal.record.places.at(-1) !== place) await journal.update({ places: [place] });
    await performRun(this.deps, this.#task(plan, true, leave), journal, inputs);
    this.#ours.delete(id);
  }

  #task(plan: Plan, resumed: boolean, leave: () => void): FolderRunTask {
    return {
      ...plan,
      folder: folderIdOf(this.place),
      watched: this.path,
      fromRoot: this.place.path,
      signal: this.deps.kill,
      stopping: this.deps.stopping,
      resumed,
      jobEnded: leave,
      stillOurs: () => this.#claim.isHeld(),
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
    this.#show();
    if (!this.#runs.busy) await this.#claim.release();
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
