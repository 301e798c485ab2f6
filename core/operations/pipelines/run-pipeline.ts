import { join } from 'node:path';
import type { Effect, Logger, Principal } from '@quire/registry';
import { Gate } from '../../semaphore/index.js';
import type { ResultStamps, Runner } from '../runner/index.js';
import type { WireFile } from '../workers/index.js';
import type { FactReader } from './flow/facts.js';
import { fileNamer, type InvoiceReader } from './flow/name-file.js';
import type { VerifiedNode } from './flow/model.js';
import { FinishedFiles } from './finished-files.js';
import { RunFiles } from './run-files.js';
import { StepTimes, type StepTime } from './flow/step-times.js';
import { newNotes, type Decision, type DroppedFile } from './flow/notes.js';
import { FlowRun } from './flow/run-flow.js';

export type { StepTime } from './flow/step-times.js';
export type { DroppedFile } from './flow/notes.js';

export interface PipelineResult {
  readonly files: readonly WireFile[];
  readonly dropped: readonly DroppedFile[];
  readonly effects: readonly Effect[];
  readonly warnings: readonly string[];
  /** Which way files went at conditions; the first hundred. */
  readonly decisions: readonly Decision[];
  /** How many there were, if these are not all. */
  readonly decisionsCount?: number;
  readonly steps: readonly StepTime[];
}

/** One run of a verified pipeline. */
export interface PipelineRun {
  readonly flow: readonly VerifiedNode[];
  /** Number of its operations. */
  readonly steps: number;
  readonly files: readonly WireFile[];
  /** Nobody reads the files after the run, which is not repeated: results may continue them in place of copies. */
  readonly spendsFiles?: boolean;
  readonly principal: Principal;
  /** Private folder of the whole run. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Refuse damaged files (`Prefer: handling=strict`). */
  readonly strict?: boolean;
  /** Number of files processed at the same time. */
  readonly parallel: number;
  /** Called once for each step that a file reaches. */
  readonly onStep?: (index: number, path: string) => void;
  readonly onProgress?: (done: number, total: number) => void;
  /** Called at the begin with what reads the notes of the run at any time, for the record of a run that fails. */
  readonly onBegin?: (notes: ReadNotes) => void;
}

/** Returns what a run has to report so far; `failure`: the error that it has ended with. */
export type ReadNotes = (failure?: unknown) => Omit<PipelineResult, 'files'>;

export interface PipelineRunDeps {
  readonly runner: Runner;
  readonly stamps: Pick<ResultStamps, 'finish'>;
  readonly log: Logger;
  readonly factOf: FactReader;
  readonly invoiceOf: InvoiceReader;
}

/** Most decisions of a run that are reported. */
const MOST_DECISIONS = 100;
/** Most warnings of a run; further ones are counted. */
const MOST_WARNINGS = 100;

/**
 * Runs the steps in order; files are passed by path. A failing step ends the run with its own error, its index and the
 * file's name, unless its `onError` says otherwise.
 */
export async function runPipeline(
  { runner, stamps, log, factOf, invoiceOf }: PipelineRunDeps,
  run: PipelineRun,
): Promise<PipelineResult> {
  const { principal, folder, parallel, signal, steps } = run;
  const notes = newNotes();
  const times = new StepTimes();
  const stored = new RunFiles(folder);
  const reached = new Set<number>();
  let folders = 0;
  let furthest = 0;
  const flow = new FlowRun({
    calls: {
      runner,
      request: { principal, strict: run.strict === true },
      gate: new Gate(parallel),
      nameFile: fileNamer(invoiceOf),
      newFolder: (index) => join(folder, `s${index}-${folders++}`),
      partsOf: (step) => stored.partsOf(step),
      times,
    },
    factOf,
    parallel,
    several: run.files.length > 1,
    folder,
    kept: new Set(run.spendsFiles === true ? [] : run.files.map(({ path }) => path)),
    onStep(index, path) {
      if (reached.has(index)) return;
      reached.add(index);
      run.onStep?.(index, path);
    },
    onProgress(index, count, done, total) {
      const [now, all] = [index * total + count * done, steps * total];
      // Branches run side by side, and calls end in any order.
      if (now / all < furthest) return;
      furthest = now / all;
      run.onProgress?.(now, all);
    },
    onFailure: (error, { at, onError }) =>
      log.info({ err: error, step: at, onError }, 'a step of a pipeline failed, and the pipeline goes on'),
  });
  const read: ReadNotes = (failure) => ({
    dropped: [...notes.dropped].sort((a, b) => a.step - b.step),
    effects: [...notes.effects],
    warnings: shortened(notes.warnings.list()),
    decisions: notes.decisions.slice(0, MOST_DECISIONS),
    ...(notes.decisions.length > MOST_DECISIONS ? { decisionsCount: notes.decisions.length } : {}),
    steps: times.all(failure),
  });
  run.onBegin?.(read);
  const passed = await flow.run(run.flow, run.files, { notes, signal });
  const files = await new FinishedFiles({ runner, stamps }, run).of(passed);
  const result = { files, ...read() };
  const { dropped } = result;
  if (dropped.length > 0) log.info({ dropped: dropped.length, steps }, 'the pipeline dropped files');
  for (const { step, operation, reason } of dropped)
    log.debug({ step, operation, reason }, 'the pipeline dropped a file');
  return result;
}

function shortened(warnings: readonly string[]): readonly string[] {
  const more = warnings.length - MOST_WARNINGS;
  return more > 0 ? [...warnings.slice(0, MOST_WARNINGS), `${more} more warnings are not listed.`] : warnings;
}
