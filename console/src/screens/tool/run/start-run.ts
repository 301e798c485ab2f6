import type { ShownOperation } from '@quire/registry';
import { batch } from '@preact/signals';
import { rememberUse } from '../../tools/used-tools.ts';
import type { Draft } from '../draft.ts';
import { repeatedPart, runnableFiles, type PickedFile } from '../file-checks.ts';
import { faultsByField } from '../../../form/faults.ts';
import { formTexts, parametersOf } from '../../../form/values.ts';
import { Run, RunItem } from './run.ts';
import { rememberedJobs } from './remembered.ts';

/** Runs the tool with what was entered. Returns the first field that keeps it from running, if there is one. */
export function startRun(draft: Draft): string | undefined {
  const { operation, values } = draft;
  draft.attempted.value = true;
  const [faulty] = draft.faulty;
  if (faulty !== undefined) return faulty;
  const parameters = parametersOf(operation, values.value);
  const shown = new Set(draft.shownParts.map(({ field }) => field));
  const files = Object.fromEntries(Object.entries(draft.files.value).filter(([field]) => shown.has(field)));
  const repeated = repeatedPart(operation);
  const calls =
    repeated === undefined
      ? [files]
      : runnableFiles(draft).map((picked): Record<string, readonly PickedFile[]> => ({
          ...files,
          [repeated]: [picked],
        }));
  const run = new Run(calls.map((call) => itemOf(operation, parameters, call)));
  batch(() => {
    draft.refused.value = {};
    draft.run.value = run;
  });
  rememberUse(operation.path);
  void run.start().then(() => finish(draft, run));
  return undefined;
}

/** Repeats a call that failed. */
export async function repeatItem(draft: Draft, item: RunItem): Promise<void> {
  draft.refused.value = {};
  await item.start();
  finish(draft, new Run([item]));
}

/** Follows the jobs that this tab started before the page was loaded again. */
export function findJobsAgain(draft: Draft): void {
  const jobs = rememberedJobs(draft.operation.path);
  if (jobs.length === 0 || draft.run.value !== undefined) return;
  const run = new Run(jobs.map((job) => new RunItem(draft.operation, job)));
  batch(() => {
    draft.run.value = run;
    // The jobs have the files: nobody needs to choose them again.
    draft.lostFiles.value = {};
  });
  void run.start().then(() => finish(draft, run));
}

function itemOf(
  operation: ShownOperation,
  parameters: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, readonly PickedFile[]>>,
): RunItem {
  const all = Object.values(files).flat();
  return new RunItem(operation, {
    label: all.map(({ file }) => file.name).join(', ') || operation.title,
    inputBytes: all.reduce((sum, { file }) => sum + file.size, 0),
    original: all[0]?.file,
    form: () => formOf(parameters, files),
  });
}

function formOf(
  parameters: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, readonly PickedFile[]>>,
): FormData {
  const form = new FormData();
  // Fields first: the server can refuse a value before it has read the files.
  for (const [name, value] of Object.entries(parameters)) for (const text of formTexts(value)) form.append(name, text);
  for (const [field, picked] of Object.entries(files))
    for (const { file } of picked) form.append(field, file, file.name);
  return form;
}

function finish(draft: Draft, run: Run): void {
  showFaults(draft, run);
  if ((draft.run.value ?? run).items.every(({ state }) => state.value === 'done')) draft.succeeded();
}

/** Puts the faults that the server names to their fields. */
function showFaults(draft: Draft, run: Run): void {
  const known = new Set([
    ...draft.operation.fields.map(({ name }) => name),
    ...draft.operation.parts.map(({ field }) => field),
  ]);
  const faults = Object.assign(
    {},
    ...run.items.map(({ problem }) => faultsByField(problem.value?.faults ?? [])),
  ) as Record<string, string>;
  const { password } = draft.operation;
  const locked = run.items.find(({ problem }) => problem.value?.code === 'PDF_ENCRYPTED')?.problem.value;
  // The tool can open it itself.
  if (password !== undefined && locked !== undefined) faults[password] = locked.message;
  draft.refused.value = Object.fromEntries(Object.entries(faults).filter(([name]) => known.has(name)));
}
