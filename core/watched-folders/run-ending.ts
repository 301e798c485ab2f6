import { lstat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { isInside, withSuffix } from '../folders/index.js';
import { REPORT } from './finish-run.js';
import type { FolderRunDeps, FolderRunTask } from './folder-run-deps.js';
import { ownFolder } from './moves.js';
import type { JobOutcome } from './folder-job.js';
import type { InputEnding, RunEnding, RunInput, RunJournal, StagedOutput } from './run-journal.js';
import { reportedError, type EndedFile, type EndedRun, type RunReport } from './run-report.js';

/** A run whose work is done. */
export interface WorkedRun {
  readonly deps: FolderRunDeps;
  readonly task: FolderRunTask;
  readonly journal: RunJournal;
  readonly inputs: readonly RunInput[];
  readonly outcome: JobOutcome;
  readonly outputs: readonly StagedOutput[];
  /** Functions that free the reserved names; new ones are added. */
  readonly reserved: (() => void)[];
  /** When the work began, ms. */
  readonly began: number;
}

/** Decides how the run ends: where each input goes, with which report, and what the history of the folder keeps. */
export async function endingOf(run: WorkedRun): Promise<RunEnding> {
  const { deps, task, journal, inputs, outcome, outputs } = run;
  const endedAt = deps.clock.now();
  const good = inputs.filter(({ name }) => !outcome.faults.has(name)).map(({ name }) => name);
  const endings: InputEnding[] = [];
  const files: EndedFile[] = [];
  for (const { name } of inputs) {
    const failed = outcome.faults.has(name);
    const { size: bytes } = await lstat(join(journal.inputs, name));
    const error = failed ? reportedError(outcome.faults.get(name)) : undefined;
    const file = { name, bytes, status: failed ? ('failed' as const) : ('done' as const) };
    if (!failed && deps.settings.originals === 'delete') {
      endings.push({ name });
      files.push(file);
      continue;
    }
    const report: RunReport = {
      status: file.status,
      input: name,
      bytes,
      ...(!failed && good.length > 1 ? { together: good.filter((other) => other !== name) } : {}),
      pipeline: pipelineOf(task),
      run: journal.record.id,
      takenAt: journal.record.takenAt,
      endedAt: endedAt.toISOString(),
      attempts: journal.record.attempts,
      outputs: failed ? [] : outputs.map(({ target }) => target),
      ...(error === undefined ? {} : { error }),
      ...(failed || outcome.result === undefined ? {} : unlessEmpty(outcome.result)),
    };
    const ending = await placeInput(run, name, report);
    endings.push(ending);
    files.push({
      ...file,
      keptAs: keptPath(ending),
      ...(error === undefined ? {} : { error }),
    });
    if (error !== undefined)
      deps.log.warn(
        { folder: task.watched, file: name, run: journal.record.id, error: error.code, detail: error.detail },
        'a file of a watched folder failed',
      );
  }
  return { outputs, inputs: endings, history: historyOf(run, files, endedAt) };
}

/** Where an input is kept, inside its watched folder. */
function keptPath({ folder, keptAs }: Pick<InputEnding, 'folder' | 'keptAs'>): string {
  return `${basename(folder ?? '')}/${keptAs ?? ''}`;
}

const pipelineOf = ({ definition }: FolderRunTask): RunReport['pipeline'] => ({
  file: definition.file,
  name: definition.name,
});

function unlessEmpty({
  dropped,
  effects,
  warnings,
}: Pick<EndedRun, 'dropped' | 'effects' | 'warnings'>): Pick<RunReport, 'dropped' | 'effects' | 'warnings'> {
  return {
    ...(dropped.length > 0 ? { dropped } : {}),
    ...(effects.length > 0 ? { effects } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

async function placeInput({ deps, task, reserved }: WorkedRun, name: string, report: RunReport): Promise<InputEnding> {
  const { settings, names } = deps;
  const folder = await ownFolder(join(task.watched, report.status === 'failed' ? settings.failedFolder : 'done'));
  const keptAs = await names.reserve(folder, name, [REPORT]);
  reserved.push(() => names.release(folder, keptAs, [REPORT]));
  return {
    name,
    folder,
    keptAs,
    reportAs: withSuffix(keptAs, REPORT),
    report: `${JSON.stringify(report, undefined, 2)}\n`,
  };
}

function historyOf(
  { deps, task, journal, outcome, outputs, began }: WorkedRun,
  files: readonly EndedFile[],
  endedAt: Date,
): EndedRun {
  const { finished } = deps.settings;
  const { id, takenAt, attempts, retryOf } = journal.record;
  return {
    id,
    folder: task.folder,
    takenAt,
    endedAt: endedAt.toISOString(),
    ms: Math.max(0, endedAt.getTime() - began),
    attempts,
    pipeline: pipelineOf(task),
    files,
    outputs: outputs.map(({ target }) => (isInside(finished, target) ? relative(finished, target) : basename(target))),
    dropped: outcome.result?.dropped ?? [],
    effects: outcome.result?.effects ?? [],
    warnings: outcome.result?.warnings ?? [],
    retryOf: retryOf ?? [],
    facts: {
      stepCount: task.report.steps.length,
      steps: outcome.result?.steps ?? [],
      results: (outcome.result?.files ?? []).map(({ size, contentType }) => ({ size, contentType })),
    },
  };
}
