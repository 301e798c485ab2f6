import { lstat, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isQuireError, type Principal } from '@quire/registry';
import type { PipelineReport } from '../operations/pipelines/index.js';
import { folderId } from './folder-id.js';
import { FolderProblem, problemOf } from './folder-problem.js';
import { judgeFiles, listFolder, type Listing, type ReadyFile } from './folder-listing.js';
import { finishRun, putBack, removeParts } from './finish-run.js';
import type { FolderRight, FolderRunTask, WatchedFolderDeps } from './folder-run-deps.js';
import { performRun, placeOf } from './folder-run.js';
import { moveFile, ownFolder } from './moves.js';
import { isWaiting } from './pipeline-work.js';
import { ProblemBoard } from './problem-board.js';
import { readDefinition, type FolderDefinition } from './read-definition.js';
import { SettleWatch, markOf } from './readiness.js';
import { RunJournal, removeRun, type RunInput } from './run-journal.js';
import { RunQueue, type QueuedRun } from './run-queue.js';

/** What a look found out; everything that runs of this folder need. */
interface Plan {
  /** Monotonic ms. */
  readonly at: number;
  readonly definition: FolderDefinition;
  readonly report: PipelineReport;
  readonly principal: Principal;
}

/** A run that was cut short before its end was decided. */
interface OpenRun {
  readonly journal: RunJournal;
  readonly inputs: readonly RunInput[];
}

/** A batch of one-after-another arrivals is not waited for longer than this. */
const LONGEST_GATHERING_MS = 60_000;
const SHORTEST_REST_MS = 100;
const BUSY_REST_MS = 500;
const RIGHT_AGAIN_MS = 5000;
/** Starts after which a run works alone, so that one that ends the server does not count against others. */
const SUSPECT_ATTEMPTS = 3;

/** One folder with a pipeline: it looks, waits until files are complete, takes them and has them worked on. */
export class WatchedFolder {
  readonly #settle: SettleWatch;
  readonly #problems: ProblemBoard;
  /** Run folders at work in this process. */
  readonly #active = new Set<string>();
  /** Runs of this process; any other was left by an earlier life or another node. */
  readonly #ours = new Set<string>();
  readonly #runs: RunQueue;
  /** Inputs that wait or are being taken. */
  readonly #queued = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Infinity;
  #looking: Promise<void> | undefined;
  #again = false;
  #backoffMs = 0;
  #restUntil = 0;
  #gatheringSince: number | undefined;
  #right: FolderRight | undefined;
  #ended = false;

  /** `fromRoot`: the way from the watched root. */
  constructor(
    readonly path: string,
    private readonly fromRoot: string,
    private readonly deps: WatchedFolderDeps,
  ) {
    this.#settle = new SettleWatch(deps.settings.readiness);
    this.#problems = new ProblemBoard(path, deps.settings.reportFolder, deps.log, deps.clock);
    this.#runs = new RunQueue({
      parallel: deps.settings.parallel,
      stopping: deps.stopping,
      place: (signal) => deps.place(signal),
      ...(deps.planMs === undefined ? {} : { planMs: deps.planMs }),
      closed: () => this.#ended,
      // The next look plans outdated runs again, and gives the right to the folder back if nothing is left to do.
      outdated: () => this.wake(),
      idle: () => this.wake(),
      succeeded: async () => {
        this.#backoffMs = 0;
        await this.#problems.clear();
      },
      failed: (error) => this.#fault(error),
    });
  }

  /** Looks after this many ms, or earlier when a look is due by then anyway. */
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

  /** Ends for good: nothing new is begun, and what is at work is waited for. */
  async stop(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#runs.finished();
    await this.#right?.release();
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
        // Thousands of files that come while others are worked on must not be listed with each of them.
        if (this.#again) this.wake(this.#runs.waiting > 0 ? BUSY_REST_MS : 0);
        else if (nextMs !== undefined) this.wake(nextMs);
        this.#again = false;
      });
  }

  /** One look; gives the ms after which the next is worth while. */
  async #look(): Promise<number | undefined> {
    const { stopping, settings, clock } = this.deps;
    if (stopping.aborted || this.#runs.worksAlone) return undefined;
    const rest = this.#restUntil - performance.now();
    if (rest > 0) {
      if (!this.#runs.busy) await this.#letGo();
      return rest;
    }
    const listing = await listFolder(this.path);
    const left = listing.runs.filter((run) => !this.#active.has(run));
    if (listing.files.length === 0 && left.length === 0 && listing.stranded.length === 0) {
      await this.#problems.clear();
      if (!this.#runs.busy) await this.#letGo();
      return undefined;
    }
    // What was decided before a crash needs no pipeline, and comes before everything else.
    if (left.length > 0 || listing.stranded.length > 0) {
      if (!(await this.#hold())) return RIGHT_AGAIN_MS;
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
      if (!this.#runs.busy) await this.#letGo();
      return nextMs;
    }
    const together = plan.report.steps.some(({ entry }) => entry.operation.files === 'all');
    if (together && open.length === 0 && this.#gathers(ready, unsettled)) return nextMs ?? SHORTEST_REST_MS;
    if (!(await this.#hold())) return RIGHT_AGAIN_MS;
    await ownFolder(join(this.path, 'processing'));
    const batches = together ? inBatches(ready, settings.maxBatch) : ready.map((file) => [file]);
    this.#gatheringSince = undefined;
    const suspects = open.filter(({ journal }) => journal.record.attempts >= SUSPECT_ATTEMPTS);
    // A run that may end the server has it to itself; the others come with the next look.
    this.#runs.add(
      suspects.length > 0
        ? this.#resumed(plan, suspects, true)
        : [...this.#resumed(plan, open, false), ...this.#taken(plan, batches)],
    );
    return nextMs;
  }

  /** Where all files go together, a batch waits for those that still arrive. */
  #gathers(ready: readonly ReadyFile[], unsettled: number): boolean {
    if (unsettled === 0 || ready.length === 0) return ready.length === 0;
    this.#gatheringSince ??= performance.now();
    return performance.now() - this.#gatheringSince < LONGEST_GATHERING_MS;
  }

  /** The pipeline, checked whole for the account that it runs for. Throws FolderProblem. */
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

  /** Ends what was decided, and gives back what was taken without a journal. */
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
        'a file that another server left in processing is put back',
      );
    }
  }

  /** Runs that were cut short before their end was decided. */
  async #leftOpen(left: readonly string[]): Promise<OpenRun[]> {
    const found: OpenRun[] = [];
    for (const run of left) {
      const journal = await RunJournal.open(run);
      if (journal === undefined || journal.record.ending !== undefined) continue;
      await removeParts(journal);
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
   * Takes complete files: the journal first, then each by rename. Files that are gone or have changed are left for the
   * next look.
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

  /** Begins a run again that was cut short, or waited for better times. */
  async #resume(plan: Plan, journal: RunJournal, inputs: readonly RunInput[]): Promise<void> {
    const { id, attempts } = journal.record;
    const place = placeOf({ ...plan, watched: this.path, fromRoot: this.fromRoot }, this.deps);
    if (!this.#ours.has(id)) {
      this.deps.log.info(
        { folder: this.path, run: id, attempts, inputs: inputs.length },
        'a run that was cut short begins again',
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
      stillOurs: async () => this.deps.right === undefined || (await this.#right?.renew().catch(() => false)) === true,
    };
  }

  /** Has the right to this folder, or takes it. */
  async #hold(): Promise<boolean> {
    if (this.deps.right === undefined) return true;
    if (this.#right !== undefined && (await this.#right.renew().catch(() => false))) return true;
    // One that was lost is given back as well, or it would be kept alive for ever.
    await this.#letGo();
    this.#right = await this.deps.right(
      `${await folderId(await ownFolder(join(this.path, 'processing')))} ${this.fromRoot}`,
    );
    return this.#right !== undefined;
  }

  async #letGo(): Promise<void> {
    const right = this.#right;
    this.#right = undefined;
    await right?.release();
  }

  /** A fault that says nothing of the inputs: told once, and tried again after a while that grows. */
  async #fault(error: unknown): Promise<number | undefined> {
    const gone = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
    if (gone && (await lstat(this.path).catch(() => undefined)) === undefined) return undefined;
    const problem = problemOf(error);
    if (problem.kind === 'failed' && !isWaiting(error))
      this.deps.log.error({ err: error, folder: this.path }, 'a watched folder met a defect');
    await this.#problems.tell(problem);
    if (!this.#runs.busy) await this.#letGo();
    // A wrong pipeline is looked at again when it changes; what the world lacks may come back by itself.
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

/** A run folder whose journal cannot be read: a server that ended before it was written. */
function bareRun(folder: string): { readonly inputs: string; remove(): Promise<void> } {
  return { inputs: join(folder, 'in'), remove: () => removeRun(folder) };
}
