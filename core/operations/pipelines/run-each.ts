import { isQuireError, type Logger } from '@quire/registry';
import { mapAtOnce, WorkClock, type WorkLimit } from '../../semaphore/index.js';
import type { WireFile } from '../workers/index.js';
import type { RunLanes } from './run-lanes.js';
import type { ChargedResult, PipelineService } from './pipeline-service.js';
import type { PipelineRun, ReadNotes } from './run-pipeline.js';
import type { PipelineReport } from './verify-pipeline.js';

/** Runs of one pipeline, one for each file. */
export interface EachRun extends Pick<PipelineRun, 'files' | 'principal' | 'signal' | 'strict'> {
  /** Jobs of the same name run in the order in which they came. */
  readonly name: string;
  /** How long each run may work. */
  readonly limit: WorkLimit;
  /** Returns a new private folder for each run. */
  folder(): Promise<string>;
  /** Called after each run. */
  onProgress(done: number, total: number): void;
}

export interface EachDeps {
  readonly pipelines: Pick<PipelineService, 'run'>;
  readonly log: Logger;
  readonly lanes: RunLanes;
}

/** The result for one input, or its error with what its run had to report until then. */
export type EachResult =
  | { readonly result: ChargedResult }
  | { readonly error: unknown; readonly notes: ReturnType<ReadNotes> };

/**
 * Runs the pipeline for each input by itself, a few at once: it costs what as many calls would, and one that fails, or
 * takes too long, does not stop the others. Rejects with the signal's reason only; what was charged until then
 * is refunded.
 */
export async function runEach(deps: EachDeps, report: PipelineReport, run: EachRun): Promise<readonly EachResult[]> {
  const ended: EachResult[] = [];
  const lane = deps.lanes.open(run.name);
  try {
    return await mapAtOnce(run.files, run.files.length, async (file) => {
      const leave = await lane.enter(run.signal);
      const result = await runOne(deps, report, run, file).finally(leave);
      run.onProgress(ended.push(result), run.files.length);
      return result;
    });
  } catch (error) {
    for (const one of ended) if ('result' in one) await one.result.charge.refund();
    throw error;
  } finally {
    lane.close();
  }
}

async function runOne(
  { pipelines, log }: EachDeps,
  report: PipelineReport,
  { principal, signal, strict = false, limit, folder }: EachRun,
  file: WireFile,
): Promise<EachResult> {
  signal.throwIfAborted();
  const clock = new WorkClock(limit);
  const both = AbortSignal.any([signal, clock.signal]);
  const own = await folder();
  let read: ReadNotes | undefined;
  const onBegin = (notes: ReadNotes): void => void (read = notes);
  try {
    const result = await clock.run(() =>
      pipelines.run(report, { files: [file], principal, folder: own, signal: both, strict, onBegin }),
    );
    return { result };
  } catch (thrown) {
    signal.throwIfAborted();
    const error: unknown = clock.signal.aborted ? clock.signal.reason : thrown;
    if (!isQuireError(error)) log.error({ err: error }, 'a run of a pipeline failed because of a defect');
    return { error, notes: read?.(error) ?? nothing };
  } finally {
    clock.stop();
  }
}

const nothing: ReturnType<ReadNotes> = { dropped: [], effects: [], warnings: [], decisions: [], steps: [] };
