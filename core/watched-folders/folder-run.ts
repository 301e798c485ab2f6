import { access, constants, lstat, unlink } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { InputError, OperationalError, type Clock } from '@quire/registry';
import type { FolderRunDeps, FolderRunTask } from './folder-run-deps.js';
import { finishRun, putBack } from './finish-run.js';
import { uniqueNames } from '../operations/runner/index.js';
import { type WireFile } from '../operations/workers/index.js';
import { openOutputFolder, outputFileName, outputFolder, type PatternValues } from './output-place.js';
import { stage, workOn, type WorkOutcome } from './pipeline-work.js';
import { markOf } from './files/readiness.js';
import { endingOf } from './run-ending.js';
import { partPrefix, type RunInput, type RunJournal, type StagedOutput } from './run-journal.js';
import { reportedError } from './run-report.js';

/**
 * Starts after which a run fails because it keeps crashing the server. The limit is high, because a server that is
 * often killed may never have had time for a long run, and the work runs in separate processes that seldom crash the
 * server.
 */
const MOST_ATTEMPTS = 100;

/** Returns the folder for this run's outputs. Throws FolderProblem. */
export function placeOf(
  task: Pick<FolderRunTask, 'watched' | 'fromRoot' | 'definition'>,
  { settings, clock }: Pick<FolderRunDeps, 'settings' | 'clock'>,
): string {
  return outputFolder(task.definition.outputDir, valuesOf(task, clock), settings);
}

function valuesOf(
  { watched, fromRoot, definition }: Pick<FolderRunTask, 'watched' | 'fromRoot' | 'definition'>,
  clock: Clock,
): PatternValues {
  return { watched, fromRoot, pipelineName: definition.name, now: clock.now() };
}

/**
 * Does the work of a run and finishes it: outputs go to their folder, inputs to `done/` or `failed/`. Returns `back` if
 * an input has changed meanwhile and all inputs were put back into the watched folder. Rejects with errors that are not
 * caused by the inputs; the run then stays as it was.
 */
export async function performRun(
  deps: FolderRunDeps,
  task: FolderRunTask,
  journal: RunJournal,
  inputs: readonly RunInput[],
): Promise<'ended' | 'back'> {
  const { definition } = task;
  const began = deps.clock.now().getTime();
  const place = journal.record.places.at(-1) ?? placeOf(task, deps);
  await openOutputFolder(place, definition.outputDir, task.watched, deps.settings);
  const outcome = await outcomeOf(deps, task, journal, inputs);
  const reserved: (() => void)[] = [];
  const staged: StagedOutput[] = [];
  let ending = false;
  try {
    for (const [index, { file, name }] of outputsOf(deps, task, outcome.result?.files ?? []).entries()) {
      // The name contains the attempt: a server that lost the folder and finishes late must not delete the part files
      // of its successor.
      const part = join(place, `${partPrefix(journal.record.id)}${journal.record.attempts}-${index}.part`);
      const target = await targetName(deps, place, name, reserved);
      staged.push({ part, target: join(place, target) });
      await stage(file.path, part);
    }
    if (!(await unchanged(journal, inputs))) {
      await outcome.result?.charge.refund();
      await putBack(deps, task.watched, journal);
      return 'back';
    }
    if (!(await task.stillOurs())) throw new OperationalError('STORE_DOWN');
    const decided = { deps, task, journal, inputs, outcome, outputs: staged, reserved, began };
    await journal.update({ ending: await endingOf(decided) });
    ending = true;
    await outcome.result?.charge.settle();
    await finishRun(deps, journal);
    const [fault] = outcome.faults.values();
    deps.ended?.({
      run: journal.record.id,
      folder: task.fromRoot,
      principal: task.principal,
      ms: Math.max(0, deps.clock.now().getTime() - began),
      fault: outcome.faults.size === 0 ? undefined : reportedError(fault),
    });
    return 'ended';
  } finally {
    if (!ending) {
      await outcome.result?.charge.refund();
      await Promise.all(staged.map(({ part }) => unlink(part).catch(() => undefined)));
    }
    for (const release of reserved) release();
    await outcome.dispose();
  }
}

/** Runs the pipeline. Inputs are not tried if the run crashed the server too often or if they are not regular files. */
async function outcomeOf(
  deps: FolderRunDeps,
  task: FolderRunTask,
  journal: RunJournal,
  inputs: readonly RunInput[],
): Promise<WorkOutcome> {
  const { id, attempts } = journal.record;
  const faults = new Map<string, unknown>();
  for (const { name, unsuitable } of inputs) {
    if (attempts > MOST_ATTEMPTS)
      faults.set(
        name,
        new OperationalError('PROGRAM_FAILED', {
          program: 'The server',
          detail: `it stopped ${attempts - 1} times while processing this file`,
        }),
      );
    else if (!(await lstat(join(journal.inputs, name))).isFile())
      faults.set(
        name,
        new InputError('INPUT_KIND', {
          field: 'fileInput',
          found: 'not a regular file',
          allowed: 'files',
        }),
      );
    else if (!(await isReadable(join(journal.inputs, name))))
      faults.set(
        name,
        new InputError('INPUT_INVALID', { detail: `the server has no permission to read ${JSON.stringify(name)}` }),
      );
    else if (unsuitable === true)
      faults.set(
        name,
        new InputError('INPUT_KIND', {
          field: 'fileInput',
          found: extname(name) === '' ? 'a file without an extension' : `a file with the extension ${extname(name)}`,
          allowed: task.report.accepts.join(', '),
        }),
      );
  }
  const good = inputs.filter(({ name }) => !faults.has(name));
  if (good.length === 0) return { faults, dispose: async () => undefined };
  const outcome = await workOn(
    { ...deps, limit: deps.settings.limit },
    { inputs: good, folder: journal.inputs, report: task.report, principal: task.principal, signal: task.signal },
  );
  for (const [name, error] of outcome.faults) {
    faults.set(name, error);
    if (reportedError(error).code === 'INTERNAL')
      deps.log.error({ err: error, run: id, file: name }, 'a run of a watched folder failed because of a defect');
  }
  return { ...outcome, faults };
}

/**
 * Returns false for a file that the server has no permission to read: waiting for it would delay all others in its
 * folder.
 */
async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'EACCES',
  );
}

function outputsOf(
  { clock }: FolderRunDeps,
  task: FolderRunTask,
  files: readonly WireFile[],
): { file: WireFile; name: string }[] {
  const values = valuesOf(task, clock);
  const names = uniqueNames(files.map(({ name }) => outputFileName(task.definition.outputFileName, name, values)));
  return files.map((file, index) => ({ file, name: names[index] ?? file.name }));
}

async function targetName(
  { names, settings }: FolderRunDeps,
  place: string,
  name: string,
  reserved: (() => void)[],
): Promise<string> {
  const isFolder = async (): Promise<boolean> =>
    (await lstat(join(place, name)).catch(() => undefined))?.isDirectory() === true;
  if (settings.existingOutputs === 'overwrite' && !(await isFolder())) return name;
  const free = await names.reserve(place, name);
  reserved.push(() => names.release(place, free));
  return free;
}

/** Returns true if every input is as it was when it was taken: a writer that had paused may have continued. */
async function unchanged(journal: RunJournal, inputs: readonly RunInput[]): Promise<boolean> {
  const marks = await Promise.all(
    inputs.map(async ({ name }) => markOf(await lstat(join(journal.inputs, name), { bigint: true }))),
  );
  return marks.every((mark, index) => mark === inputs[index]?.mark);
}
