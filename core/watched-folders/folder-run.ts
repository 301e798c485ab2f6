import { access, constants, link, lstat, rename, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { InputError, OperationalError, type Clock, type Logger, type Principal } from '@quire/registry';
import { uniqueNames } from '../operations/runner/index.js';
import { type WireFile } from '../operations/workers/index.js';
import type { PipelineReport } from '../operations/pipelines/index.js';
import { numbered, withSuffix, type FreeNames } from './free-names.js';
import { moveFile, ownFolder } from './moves.js';
import { openOutputFolder, outputFileName, outputFolder, type PatternValues } from './output-place.js';
import { stage, workOn, type WorkOutcome, type WorkDeps } from './pipeline-work.js';
import { markOf } from './readiness.js';
import type { FolderDefinition } from './read-definition.js';
import {
  namesIn,
  partPrefix,
  statsOf,
  syncFolder,
  unlessMissing,
  writeDurably,
  type InputEnding,
  type RunEnding,
  type RunInput,
  type RunJournal,
  type StagedOutput,
} from './run-journal.js';
import { reportedError, type ReportedError, type RunReport } from './run-report.js';
import type { ScanSettings } from './scan-settings.js';

/** What runs of all folders stand on. */
export interface FolderRunDeps extends Omit<WorkDeps, 'runMs'> {
  readonly settings: ScanSettings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly names: FreeNames;
  /** Told of every run that has ended. Must not throw. */
  readonly ended?: (end: FolderRunEnd) => void;
}

/** A run that has ended. */
export interface FolderRunEnd {
  readonly run: string;
  /** The watched folder, from the root of all of them. */
  readonly folder: string;
  readonly principal: Principal;
  /** Milliseconds of this start of the run. */
  readonly ms: number;
  /** The first fault of its inputs; undefined when all went well. */
  readonly fault: ReportedError | undefined;
}

/** What a run needs of its folder. */
export interface FolderRunTask {
  readonly watched: string;
  readonly fromRoot: string;
  readonly definition: FolderDefinition;
  readonly report: PipelineReport;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** False when another node may have taken the folder over. */
  stillOurs(): Promise<boolean>;
}

/**
 * Starts after which a run is given up: something in it ends the server. Many, since a server that is killed often may
 * never have had the time for a long run, and work goes on in processes of its own that seldom take the server along.
 */
const MOST_ATTEMPTS = 100;
const REPORT = '.report.json';
/** How file systems say that they know no links. */
const LINKLESS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Where this run's outputs go. Throws FolderProblem. */
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
 * Does the work of a run and ends it: outputs in their place, inputs in `done/` or `failed/`. Gives `back` when an
 * input changed meanwhile, and is in the watched folder again. Rejects with what says nothing of the inputs; the run
 * then lies there as before.
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
      // By the attempt: a server that lost the folder, and ends late, must not take the parts of its successor away.
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
    await journal.update({ ending: await endingOf(deps, task, journal, inputs, outcome, staged, reserved) });
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

/** The result of the work; a run that ended the server too often, and files that are none, are not tried. */
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
          detail: `it ended ${attempts - 1} times while it worked on this file`,
        }),
      );
    else if (!(await lstat(join(journal.inputs, name))).isFile())
      faults.set(
        name,
        new InputError('INPUT_KIND', { field: 'fileInput', found: 'no regular file', allowed: 'files' }),
      );
    else if (!(await isReadable(join(journal.inputs, name))))
      faults.set(
        name,
        new InputError('INPUT_INVALID', { detail: `the server has no right to read ${JSON.stringify(name)}` }),
      );
    else if (unsuitable === true)
      faults.set(
        name,
        new InputError('INPUT_KIND', {
          field: 'fileInput',
          found: `named ${extname(name) || 'without an extension'}`,
          allowed: (task.report.steps[0]?.entry.operation.accepts ?? []).join(', '),
        }),
      );
  }
  const good = inputs.filter(({ name }) => !faults.has(name));
  if (good.length === 0) return { faults, dispose: async () => undefined };
  const outcome = await workOn(
    { ...deps, runMs: deps.settings.runMs },
    { inputs: good, folder: journal.inputs, report: task.report, principal: task.principal, signal: task.signal },
  );
  for (const [name, error] of outcome.faults) {
    faults.set(name, error);
    if (reportedError(error).code === 'INTERNAL')
      deps.log.error({ err: error, run: id, file: name }, 'a run of a watched folder met a defect');
  }
  return { ...outcome, faults };
}

/** False for a file that its owner lets nobody read: waiting would hold up all others of its folder. */
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

/** True when every input is as it was when it was taken: a writer that had paused may have gone on. */
async function unchanged(journal: RunJournal, inputs: readonly RunInput[]): Promise<boolean> {
  const marks = await Promise.all(
    inputs.map(async ({ name }) => markOf(await lstat(join(journal.inputs, name), { bigint: true }))),
  );
  return marks.every((mark, index) => mark === inputs[index]?.mark);
}

async function endingOf(
  deps: FolderRunDeps,
  task: FolderRunTask,
  journal: RunJournal,
  inputs: readonly RunInput[],
  { result, faults }: WorkOutcome,
  outputs: readonly StagedOutput[],
  reserved: (() => void)[],
): Promise<RunEnding> {
  const { settings, names, clock, log } = deps;
  const { id, takenAt, attempts } = journal.record;
  const good = inputs.filter(({ name }) => !faults.has(name)).map(({ name }) => name);
  const endings: InputEnding[] = [];
  for (const { name } of inputs) {
    const fault = faults.get(name);
    const failed = faults.has(name);
    if (!failed && settings.originals === 'delete') {
      endings.push({ name });
      continue;
    }
    const folder = await ownFolder(join(task.watched, failed ? settings.failedFolder : 'done'));
    const keptAs = await names.reserve(folder, name, [REPORT]);
    reserved.push(() => names.release(folder, keptAs, [REPORT]));
    const report: RunReport = {
      status: failed ? 'failed' : 'done',
      input: name,
      bytes: (await lstat(join(journal.inputs, name))).size,
      ...(!failed && good.length > 1 ? { together: good.filter((other) => other !== name) } : {}),
      pipeline: { file: task.definition.file, name: task.definition.name },
      run: id,
      takenAt,
      endedAt: clock.now().toISOString(),
      attempts,
      outputs: failed ? [] : outputs.map(({ target }) => target),
      ...(failed ? { error: reportedError(fault) } : {}),
      ...(failed || result === undefined
        ? {}
        : {
            ...(result.dropped.length > 0 ? { dropped: result.dropped } : {}),
            ...(result.effects.length > 0 ? { effects: result.effects } : {}),
            ...(result.warnings.length > 0 ? { warnings: result.warnings } : {}),
          }),
    };
    endings.push({
      name,
      folder,
      keptAs,
      reportAs: withSuffix(keptAs, REPORT),
      report: `${JSON.stringify(report, undefined, 2)}\n`,
    });
    if (failed)
      log.warn(
        { folder: task.watched, file: name, run: id, error: report.error?.code, detail: report.error?.detail },
        'a file of a watched folder failed',
      );
  }
  return { outputs, inputs: endings };
}

/** Does what the journal says how the run ends. May be done again at any point: what was done is recognised. */
export async function finishRun(
  { log, names, settings }: Pick<FolderRunDeps, 'log' | 'names' | 'settings'>,
  journal: RunJournal,
): Promise<void> {
  const { id, ending } = journal.record;
  if (ending === undefined) throw new Error('the end of the run is not decided');
  for (const { part, target } of ending.outputs) {
    // A part that is gone has its name already. A name that was free when it was chosen may be taken after a restart.
    if (!(await exists(part))) continue;
    if (settings.existingOutputs === 'overwrite' && (await statsOf(target))?.isDirectory() !== true)
      await rename(part, target);
    else await giveName(names, part, target);
  }
  for (const place of new Set(journal.record.places)) await syncFolder(place);
  const present = new Set(await namesIn(journal.inputs));
  for (const { name, folder, keptAs, reportAs, report } of ending.inputs) {
    if (!present.has(name)) continue;
    const from = join(journal.inputs, name);
    if (folder === undefined || keptAs === undefined) {
      await unlink(from);
      continue;
    }
    await ownFolder(folder);
    const own = !(await exists(join(folder, keptAs)));
    const kept = own ? keptAs : await reserveBriefly(names, folder, keptAs, [REPORT]);
    if (reportAs !== undefined && report !== undefined)
      await writeReport(folder, own ? reportAs : withSuffix(kept, REPORT), report, id);
    await moveFile(from, join(folder, kept), id);
  }
  // Whatever else lies there is somebody's input as well: back into the watched folder, and then the run is over.
  await putBack({ names, log }, dirname(dirname(journal.folder)), journal);
  log.info(
    { run: id, inputs: ending.inputs.length, outputs: ending.outputs.length },
    'a run of a watched folder has ended',
  );
}

async function exists(path: string): Promise<boolean> {
  return (await statsOf(path)) !== undefined;
}

/**
 * Gives a part its name, or one like it; never that of another file, also not of one that another server has put there
 * in this moment.
 */
async function giveName(names: FreeNames, part: string, target: string): Promise<void> {
  const folder = dirname(target);
  if (await hasName(part, target)) return unlink(part);
  for (let name = basename(target); ; name = await reserveBriefly(names, folder, basename(target))) {
    const path = join(folder, name);
    try {
      await link(part, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      if (!LINKLESS.has(code ?? '')) throw error;
      // A file system without links: here the look and the rename must do.
      if (await exists(path)) continue;
      return rename(part, path);
    }
    return unlink(part);
  }
}

/** True when a server that died after the first step has given the part a name already. */
async function hasName(part: string, target: string): Promise<boolean> {
  const own = await statsOf(part);
  if (own === undefined || own.nlink < 2) return false;
  for (let number = 0; ; number++) {
    const other = await statsOf(join(dirname(target), numbered(basename(target), number)));
    if (other === undefined || (other.ino === own.ino && other.dev === own.dev)) return other !== undefined;
  }
}

async function reserveBriefly(
  names: FreeNames,
  folder: string,
  name: string,
  beside: readonly string[] = [],
): Promise<string> {
  const free = await names.reserve(folder, name, beside);
  names.release(folder, free, beside);
  return free;
}

async function writeReport(folder: string, name: string, text: string, run: string): Promise<void> {
  // Under a short name first: one of 255 bytes has no room for a suffix.
  const beside = join(folder, `.quire-report-${run}`);
  await writeDurably(beside, text);
  await rename(beside, join(folder, name));
}

/** Puts the inputs back into the watched folder, under another name where theirs was given away. The run is over. */
export async function putBack(
  { names, log }: Pick<FolderRunDeps, 'names' | 'log'>,
  watched: string,
  journal: { readonly inputs: string; remove(): Promise<void> },
): Promise<void> {
  for (const name of await namesIn(journal.inputs)) {
    const free = await names.reserve(watched, name);
    try {
      await moveFile(join(journal.inputs, name), join(watched, free));
    } finally {
      names.release(watched, free);
    }
    log.info({ folder: watched, file: free }, 'a file of a watched folder is put back and looked at again');
  }
  await journal.remove();
}

/** Removes the parts that a run left when the server ended. */
export async function removeParts(journal: RunJournal): Promise<void> {
  for (const place of new Set(journal.record.places)) {
    const found = (await namesIn(place)).filter((name) => name.startsWith(partPrefix(journal.record.id)));
    await Promise.all(found.map((name) => unlessMissing(unlink(join(place, name)))));
  }
}
