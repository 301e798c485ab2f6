import { constants, copyFile, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InputError, isQuireError, sniffKind, type Logger, type Principal } from '@quire/registry';
import { Scratch, cleanFileName, readHead, uniqueNames } from '../operations/runner/index.js';
import { inBackground, type WireFile } from '../operations/workers/index.js';
import { WorkClock, type WorkLimit } from '../semaphore/index.js';
import {
  isWaiting,
  type ChargedResult,
  type PipelineReport,
  type PipelineService,
} from '../operations/pipelines/index.js';
import type { RunInput } from './run-journal.js';

export interface WorkDeps {
  readonly pipelines: Pick<PipelineService, 'run'>;
  readonly scratchRoot: string;
  readonly log: Logger;
  /** How long a run may work. */
  readonly limit: WorkLimit;
}

/** The inputs of a run and their pipeline. */
export interface Work {
  readonly inputs: readonly RunInput[];
  /** The folder of the inputs. */
  readonly folder: string;
  readonly report: PipelineReport;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/** The result for the inputs that succeeded, and an error for each of the others. */
export interface WorkOutcome {
  readonly result?: ChargedResult;
  /** By the input's name in its run. */
  readonly faults: ReadonlyMap<string, unknown>;
  /** Removes the files of the result. */
  dispose(): Promise<void>;
}

/**
 * Runs the pipeline over all inputs together. If an input makes that fail, each input is tried alone to find those that
 * fail, and the others are run again together: one bad file does not stop the rest. Trials are not charged. Rejects
 * only with errors that are not caused by the inputs (`isWaiting`).
 */
export async function workOn(deps: WorkDeps, work: Work): Promise<WorkOutcome> {
  return inBackground(async () => {
    const scratch = await Scratch.create(deps.scratchRoot);
    const dispose = (): Promise<void> => scratch.dispose();
    try {
      const faults = new Map<string, unknown>();
      const result = await runOnce(deps, work, scratch, work.inputs).catch(async (error: unknown) => {
        if (isWaiting(error)) throw error;
        if (work.inputs.length > 1 && !(isQuireError(error) && error.code === 'TIMEOUT'))
          await sift(deps, work, scratch, faults);
        const good = work.inputs.filter(({ name }) => !faults.has(name));
        if (good.length === 0 || good.length === work.inputs.length) {
          for (const { name } of good) faults.set(name, error);
          return undefined;
        }
        return runOnce(deps, work, scratch, good).catch((again: unknown) => {
          if (isWaiting(again)) throw again;
          for (const { name } of good) faults.set(name, again);
          return undefined;
        });
      });
      return { ...(result === undefined ? {} : { result }), faults, dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  });
}

/** Tries each input alone, and records the errors of those that fail. */
async function sift(deps: WorkDeps, work: Work, scratch: Scratch, faults: Map<string, unknown>): Promise<void> {
  for (const input of work.inputs) {
    try {
      const { charge } = await runOnce(deps, work, scratch, [input]);
      await charge.refund();
    } catch (error) {
      if (isWaiting(error)) throw error;
      faults.set(input.name, error);
    }
  }
}

/** Delays before a run is retried after a temporary error: a lost worker process, or an unreachable remote server. */
const AGAIN_AFTER_MS = [500, 3000];

async function runOnce(
  deps: WorkDeps,
  work: Work,
  scratch: Scratch,
  inputs: readonly RunInput[],
): Promise<ChargedResult> {
  for (let tries = 0; ; tries++) {
    try {
      return await runNow(deps, work, scratch, inputs);
    } catch (error) {
      const wait = AGAIN_AFTER_MS[tries];
      if (wait === undefined || isWaiting(error) || !isQuireError(error) || error.row.retryable !== true) throw error;
      deps.log.info({ code: error.code, tries: tries + 1 }, 'a run of a watched folder is retried');
      await delay(wait, undefined, { signal: work.signal }).catch(() => undefined);
      work.signal.throwIfAborted();
    }
  }
}

async function runNow(
  { pipelines, limit }: WorkDeps,
  { folder, report, principal, signal }: Work,
  scratch: Scratch,
  inputs: readonly RunInput[],
): Promise<ChargedResult> {
  const labels = uniqueNames(inputs.map(({ name }) => cleanFileName(name)));
  const files = await Promise.all(
    inputs.map(async ({ name }, index): Promise<WireFile> => {
      const path = join(folder, name);
      const { size } = await stat(path);
      const label = labels[index] ?? 'default';
      return { name: label, path, size, kind: sniffKind(await readHead(path), label) ?? 'bin' };
    }),
  );
  const empty = files.find(({ size }) => size === 0);
  if (empty !== undefined)
    throw new InputError('INPUT_FILE_EMPTY', { field: 'fileInput' }, [
      { pointer: '/fileInput', detail: `${empty.name} is empty` },
    ]);
  const clock = new WorkClock(limit);
  try {
    const run = { files, principal, folder: await scratch.folder(), signal: AbortSignal.any([signal, clock.signal]) };
    const result = await clock.run(() => pipelines.run(report, run));
    const dropped = result.dropped.find(({ reason }) => reason === 'kind');
    if (dropped === undefined) return result;
    // A direct call drops a file of the wrong type and reports it; here nobody would read that, so the run fails
    // (`docs/interface/pipeline.yml`: a run with errors).
    await result.charge.refund();
    const { entry } = report.steps[dropped.step] ?? {};
    throw new InputError(
      'INPUT_KIND',
      { field: 'fileInput', found: kindOf(files, dropped.file), allowed: (entry?.operation.accepts ?? []).join(', ') },
      [
        {
          pointer: dropped.pointer ?? `/pipeline/${dropped.step}`,
          detail: `${dropped.operation} does not accept ${dropped.file}`,
        },
      ],
    );
  } catch (error) {
    throw clock.signal.aborted && !signal.aborted ? clock.signal.reason : error;
  } finally {
    clock.stop();
  }
}

function kindOf(files: readonly WireFile[], name: string): string {
  return files.find((file) => file.name === name)?.kind ?? 'another file type';
}

/** Copies an output to its part file and flushes it to disk; `part` must not exist yet. */
export async function stage(from: string, part: string): Promise<void> {
  await copyFile(from, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const handle = await open(part, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
