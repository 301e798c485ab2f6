import type { CatalogOperation } from '@quire/catalog';
import { DefectError } from '@quire/registry';
import type { Needs } from '../../jobs/cluster/index.js';
import type { JobRequest } from '../../jobs/index.js';
import { Scratch, type Runner } from '../../operations/runner/index.js';
import type { WireFile } from '../../operations/workers/index.js';
import { inputFile, type InputFilesDeps } from '../files/input-files.js';
import { readArguments, type NamedFile } from './arguments.js';
import { followJob, type FollowDeps } from './follow-job.js';
import { jobAnswer, type JobAnswerDeps } from './job-answer.js';
import type { ToolAnswer, ToolCall } from './tool.js';

export interface RunOperationDeps extends InputFilesDeps, FollowDeps, JobAnswerDeps {
  runner(): Runner;
  readonly scratchRoot: string;
  readonly maxFiles: number;
  needsOf(entries: readonly CatalogOperation[]): Needs;
  takenElsewhere(entries: readonly CatalogOperation[]): Promise<boolean>;
  jobs: InputFilesDeps['jobs'];
}

/**
 * Runs an operation as a job of the caller, with the checks, limits and charge of a call by HTTP, and waits for it. The
 * job keeps its result, which is the input of the next call by its `fileId`. Rejects with the errors of the operation.
 */
export async function runOperation(
  deps: RunOperationDeps,
  entry: CatalogOperation,
  call: ToolCall,
): Promise<ToolAnswer> {
  const jobId = await startOperation(deps, entry, call);
  const record = await followJob(deps, jobId, call);
  if (record === undefined) throw new DefectError('INTERNAL', { detail: 'a job was removed while it ran' });
  return jobAnswer(deps, record, call.base);
}

async function startOperation(deps: RunOperationDeps, entry: CatalogOperation, call: ToolCall): Promise<string> {
  const { principal, signal } = call;
  const { values, files } = readArguments(entry, call.arguments, deps.maxFiles);
  return startToolJob(deps, files, call, async (inputs, scratch) => {
    const of = (field: string): WireFile[] => inputs.filter((input) => input.field === field);
    const run = {
      entry,
      params: values,
      files: of('fileInput'),
      parts: Object.fromEntries((entry.operation.parts ?? []).map(({ field }) => [field, of(field)])),
      principal,
      origin: 'job' as const,
      folder: scratch.root,
      signal,
      zip: false,
    };
    await deps.runner().admit(run, await deps.takenElsewhere([entry]));
    return { kind: 'operation', path: entry.operation.path, params: values, needs: deps.needsOf([entry]) };
  });
}

type ToolInput = JobRequest['inputs'][number] & WireFile;

/** Opens the files that a call names and starts a job of the caller with them; `describe` may refuse it. */
export async function startToolJob(
  deps: RunOperationDeps,
  files: readonly NamedFile[],
  { principal, signal }: Pick<ToolCall, 'principal' | 'signal'>,
  describe: (
    inputs: readonly ToolInput[],
    scratch: Scratch,
  ) => Promise<Omit<JobRequest, 'inputs' | 'owner' | 'caller'>>,
): Promise<string> {
  // The job keeps its own copy of every input, so this folder is needed only until it has started.
  const scratch = await Scratch.create(deps.scratchRoot);
  try {
    const inputs: ToolInput[] = [];
    for (const file of files)
      inputs.push({ field: file.field, ...(await inputFile(deps, file.fileId, file, principal, scratch)) });
    const request = await describe(inputs, scratch);
    signal.throwIfAborted();
    const jobs = await deps.jobs();
    const { jobId } = await jobs.start({ ...request, inputs, owner: deps.ownerOf(principal), caller: principal });
    return jobId;
  } finally {
    await scratch.dispose();
  }
}
