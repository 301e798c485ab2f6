import { setTimeout as delay } from 'node:timers/promises';
import { isQuireError, type Logger } from '@quire/registry';
import { withStoreErrors } from '../../store/index.js';
import type { WireFile } from '../workers/index.js';
import type { ChargedResult, PipelineService } from './pipeline-service.js';
import type { PipelineRun } from './run-pipeline.js';
import type { PipelineReport } from './verify-pipeline.js';
import { isWaiting } from './waiting-errors.js';
import { wrongTypes } from './wrong-types.js';

/** A run whose answer nobody reads. */
export interface UnattendedRun extends Omit<PipelineRun, 'steps' | 'flow' | 'parallel' | 'folder'> {
  /** Returns a new private folder for each try. */
  folder(): Promise<string>;
}

export interface UnattendedDeps {
  readonly pipelines: Pick<PipelineService, 'run'>;
  readonly log: Logger;
}

/** The result for the inputs that succeeded, and an error for each of the others. */
export interface UnattendedResult {
  readonly result?: ChargedResult;
  /** By the name of the input. */
  readonly faults: ReadonlyMap<string, unknown>;
}

/**
 * Runs the pipeline over all inputs together. If an input makes that fail, each input is tried alone to find those that
 * fail, and the others are run again together: one bad file does not stop the rest. Trials are not charged. A file of a
 * type that a step does not accept is a failure, because nobody would read that it was left out. Rejects with errors
 * that are not caused by the inputs (`isWaiting`), with the signal's reason, and with the error of a single input.
 */
export function runUnattended(
  deps: UnattendedDeps,
  report: PipelineReport,
  run: UnattendedRun,
): Promise<UnattendedResult> {
  return coded(async () => {
    const faults = new Map<string, unknown>();
    try {
      return { result: await runOnce(deps, report, run), faults };
    } catch (error) {
      // Trials would take the time once more for each input.
      const timedOut = isQuireError(error) && error.code === 'TIMEOUT';
      if (run.files.length === 1 || timedOut || isFinal(error, run)) throw error;
      for (const file of run.files) await tryAlone(deps, report, { ...run, files: [file] }, faults);
      const good = run.files.filter(({ name }) => !faults.has(name));
      const all = good.length === run.files.length;
      if (good.length === 0) return { faults };
      if (all) return { faults: faultsOf(good, error) };
      return await runOnce(deps, report, { ...run, files: good }).then(
        (result) => ({ result, faults }),
        (again: unknown) => {
          if (isFinal(again, run)) throw again;
          return { faults: new Map([...faults, ...faultsOf(good, again)]) };
        },
      );
    }
  });
}

function faultsOf(files: readonly WireFile[], error: unknown): Map<string, unknown> {
  return new Map(files.map(({ name }) => [name, error]));
}

/** Whether it would not help to look for the input that caused it. */
function isFinal(error: unknown, { signal }: UnattendedRun): boolean {
  return signal.aborted || isWaiting(error);
}

/** Errors of the disk are the server's situation too; only as coded errors they can be stored with a job. */
async function coded<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (isQuireError(error) || !isWaiting(error)) throw error;
    return withStoreErrors(() => Promise.reject(error as Error));
  }
}

/** Records the error of an input that fails alone. */
async function tryAlone(
  deps: UnattendedDeps,
  report: PipelineReport,
  run: UnattendedRun,
  faults: Map<string, unknown>,
): Promise<void> {
  try {
    const { charge } = await runOnce(deps, report, run);
    await charge.refund();
  } catch (error) {
    if (isFinal(error, run)) throw error;
    if (!isQuireError(error))
      deps.log.error({ err: error }, 'an unattended run of a pipeline failed because of a defect');
    for (const { name } of run.files) faults.set(name, error);
  }
}

/** Delays before a run is retried after a temporary error: a lost worker process, or an unreachable remote server. */
const AGAIN_AFTER_MS = [500, 3000];

async function runOnce(deps: UnattendedDeps, report: PipelineReport, run: UnattendedRun): Promise<ChargedResult> {
  for (let tries = 0; ; tries++) {
    try {
      return await runNow(deps, report, run);
    } catch (error) {
      const wait = AGAIN_AFTER_MS[tries];
      if (wait === undefined || isFinal(error, run) || !isQuireError(error) || error.row.retryable !== true)
        throw error;
      deps.log.info({ code: error.code, tries: tries + 1 }, 'an unattended run of a pipeline is retried');
      await delay(wait, undefined, { signal: run.signal }).catch(() => undefined);
      run.signal.throwIfAborted();
    }
  }
}

async function runNow(
  { pipelines }: UnattendedDeps,
  report: PipelineReport,
  { folder, ...run }: UnattendedRun,
): Promise<ChargedResult> {
  const result = await pipelines.run(report, { ...run, folder: await folder() });
  const wrong = wrongTypes(report, result.dropped, run.files);
  if (wrong === undefined) return result;
  await result.charge.refund();
  throw wrong;
}
