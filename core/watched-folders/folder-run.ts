import { access, constants, lstat, unlink } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { InputError, OperationalError, type Clock } from '@quire/registry';
import { markOf, statsOf } from '../folders/index.js';
import type { FolderRunDeps, FolderRunTask } from './folder-run-deps.js';
import { finishRun, putBack } from './finish-run.js';
import { workOn, type JobOutcome, type ResultOutput } from './folder-job.js';
import { outputFileName, uniqueNames } from '../operations/runner/index.js';
import { openOutputFolder, outputFolder, type FolderValues } from './output-place.js';
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
): FolderValues {
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
  task.jobEnded();
  const reserved: (() => void)[] = [];
  const staged: StagedOutput[] = [];
  let ending = false;
  try {
    for (const [index, { output, name }] of outputsOf(deps, task, outcome.result?.files ?? []).entries()) {
      // The name contains the attempt: a server that lost the folder and finishes late must not delete the part files
      // of its successor.
      const part = join(place, `${partPrefix(journal.record.id)}${journal.record.attempts}-${index}.part`);
      const target = await targetName(deps, place, name, reserved);
      staged.push({ part, target: join(place, target) });
      await output.stage(part);
    }
    if (!(await unchanged(journal, inputs))) {
      await putBack(deps, task.watched, journal);
      await outcome.forget();
      return 'back';
    }
    if (!(await task.stillOurs())) throw new OperationalError('STORE_DOWN');
    const decided = { deps, task, journal, inputs, outcome, outputs: staged, reserved, began };
    await journal.update({ ending: await endingOf(decided) });
    ending = true;
    await finishRun(deps, journal);
    await outcome.forget();
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
    if (!ending) await Promise.all(staged.map(({ part }) => unlink(part).catch(() => undefined)));
    for (const release of reserved) release();
  }
}

/** Runs the pipeline as a job over the inputs that can be processed. */
async function outcomeOf(
  deps: FolderRunDeps,
  task: FolderRunTask,
  journal: RunJournal,
  inputs: readonly RunInput[],
): Promise<JobOutcome> {
  const faults = new Map<string, unknown>();
  for (const input of inputs) {
    const fault = await faultOf(task, journal, input);
    if (fault !== undefined) faults.set(input.name, fault);
  }
  const good = inputs.filter(({ name }) => !faults.has(name));
  if (good.length === 0) return { faults, forget: async () => undefined };
  // Resuming a run after a crash has counted the stop already.
  let counted = task.resumed;
  const outcome = await workOn(deps, {
    ...task,
    run: journal.record.id,
    inputs: good,
    place: journal.inputs,
    pipeline: task.definition.json,
    async mayStartAgain(stops) {
      if (!counted) await journal.update({ attempts: journal.record.attempts + stops });
      counted = false;
      return journal.record.attempts <= MOST_ATTEMPTS;
    },
  });
  return { ...outcome, faults: new Map([...faults, ...outcome.faults]) };
}

/** Returns why an input is not tried: the run crashed the server too often, or the input cannot be a document. */
async function faultOf(
  { report }: FolderRunTask,
  journal: RunJournal,
  { name, unsuitable }: RunInput,
): Promise<unknown> {
  const { attempts } = journal.record;
  const path = join(journal.inputs, name);
  if (attempts > MOST_ATTEMPTS)
    return new OperationalError('PROGRAM_FAILED', {
      program: 'The server',
      detail: `it stopped ${attempts - 1} times while processing this file`,
    });
  const stats = await lstat(path);
  if (!stats.isFile())
    return new InputError('INPUT_KIND', { field: 'fileInput', found: 'not a regular file', allowed: 'files' });
  if (!(await isReadable(path)))
    return new InputError('INPUT_INVALID', {
      detail: `the server has no permission to read ${JSON.stringify(name)}`,
    });
  if (unsuitable === true)
    return new InputError('INPUT_KIND', {
      field: 'fileInput',
      found: extname(name) === '' ? 'a file without an extension' : `a file with the extension ${extname(name)}`,
      allowed: report.accepts.join(', '),
    });
  if (stats.size === 0)
    return new InputError('INPUT_FILE_EMPTY', { field: 'fileInput' }, [
      { pointer: '/fileInput', detail: `${name} is empty` },
    ]);
  return undefined;
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
  files: readonly ResultOutput[],
): { output: ResultOutput; name: string }[] {
  const values = valuesOf(task, clock);
  const names = uniqueNames(files.map(({ name }) => outputFileName(task.definition.outputFileName, name, values)));
  return files.map((output, index) => ({ output, name: names[index] ?? output.name }));
}

async function targetName(
  { names, settings }: FolderRunDeps,
  place: string,
  name: string,
  reserved: (() => void)[],
): Promise<string> {
  const isFolder = async (): Promise<boolean> =>
    (await statsOf(join(place, name)).catch(() => undefined))?.isDirectory() === true;
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
