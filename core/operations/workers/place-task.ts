import type { TaskFiles } from '../../isolation/index.js';
import type { WireFile } from './wire-file.js';
import type { RunOutcome, WorkerTask } from './protocol.js';

/** Returns the task with paths in the worker's own folder, where its files are placed. */
export async function placeTask(task: WorkerTask, files: TaskFiles): Promise<WorkerTask> {
  const wire = async (file: WireFile): Promise<WireFile> => ({ ...file, path: await files.input(file.path) });
  const all = (list: readonly WireFile[]): Promise<WireFile[]> => Promise.all(list.map(wire));
  switch (task.type) {
    case 'run': {
      const folder = files.outputs(task.folder);
      const parts: Record<string, readonly WireFile[]> = {};
      for (const [field, list] of Object.entries(task.parts)) parts[field] = await all(list);
      return { ...task, folder, files: await all(task.files), parts };
    }
    case 'unzip':
      return { ...task, folder: await files.folder(task.folder), file: await wire(task.file) };
    case 'zip':
      return { ...task, files: await all(task.files), target: files.target(task.target) };
    case 'documents': {
      const args = (await files.value(task.args)) as readonly unknown[];
      if (task.method !== 'zip' && task.method !== 'stamp') return { ...task, args };
      const [source, target, ...rest] = args;
      return { ...task, args: [source, files.target(String(target)), ...rest] };
    }
    case 'view':
      return { ...task, folder: await files.folder(task.folder), path: await files.input(task.path) };
    case 'task':
      return { ...task, input: await files.value(task.input) };
  }
}

/**
 * Returns the outcome with the original paths. Throws CONTRACT_BROKEN if the worker names a file that is not its own.
 */
function outcomeAtHome(task: WorkerTask, outcome: RunOutcome, files: TaskFiles): RunOutcome {
  if (task.type === 'task' || task.type === 'documents') return { ...outcome, json: files.original(outcome.json) };
  const { outputs, archive } = outcome;
  const reported = archive === undefined ? outputs : [...outputs, archive];
  const paths = files.results(reported.map(({ path }) => path));
  const atHome = reported.map((file, at): WireFile => ({ ...file, path: paths[at] ?? file.path }));
  return archive === undefined
    ? { ...outcome, outputs: atHome }
    : { ...outcome, outputs: atHome.slice(0, -1), archive: atHome.at(-1) as WireFile };
}

/** Takes the files of a task back and returns its outcome with the original paths; `files` as far as it was placed. */
export async function takeOutcomeHome(
  task: WorkerTask,
  outcome: RunOutcome,
  files: TaskFiles | undefined,
): Promise<RunOutcome> {
  if (files === undefined) return outcome;
  try {
    return outcomeAtHome(task, outcome, files);
  } finally {
    await files.takeBack();
  }
}
