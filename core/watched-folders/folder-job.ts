import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperationalError, sniffKind } from '@quire/registry';
import { reviveError } from '@quire/registry/errors';
import { copyDurably, flush } from '../folders/index.js';
import { jobUuid, wasStoppedTooOften, type JobRecord, type JobService } from '../jobs/index.js';
import { isWaiting, type DroppedFile, type StepTime } from '../operations/pipelines/index.js';
import { cleanFileName, readHead, uniqueNames } from '../operations/runner/index.js';
import type { FolderJobDeps, FolderRunTask } from './folder-run-deps.js';
import type { RunInput } from './run-journal.js';

/** The inputs of a run and their pipeline. */
export interface FolderJob extends Pick<FolderRunTask, 'folder' | 'report' | 'principal' | 'signal' | 'stopping'> {
  /** Id of the run. */
  readonly run: string;
  readonly inputs: readonly RunInput[];
  /** Absolute path of the folder that contains the inputs. */
  readonly place: string;
  /** JSON text. */
  readonly pipeline: string;
  /** Called when servers stopped this often while they did the job. */
  mayStartAgain(stops: number): Promise<boolean>;
}

/** A file of the result. */
export interface ResultOutput {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly contentType: string;
  /** Copies it to a new file and flushes that to disk. */
  stage(part: string): Promise<void>;
}

/** The result for the inputs that succeeded, and an error for each of the others. */
export interface JobOutcome {
  readonly result?: {
    readonly files: readonly ResultOutput[];
    readonly dropped: readonly DroppedFile[];
    readonly effects: readonly string[];
    readonly warnings: readonly string[];
    readonly steps: readonly StepTime[];
  };
  /** By the input's name in its run. */
  readonly faults: ReadonlyMap<string, unknown>;
  /** Removes the job and the files of the result. Never rejects: they also expire. */
  forget(): Promise<void>;
}

const PATH = 'watched-folders';

/** True for the path of a job that is a run of a watched folder. */
export function isFolderJob(path: string): boolean {
  return path.startsWith(`${PATH}/`);
}

/**
 * Runs the pipeline over all inputs as a job, or waits for the job that an earlier process or another node had started
 * for this run. Rejects only with errors that are not caused by the inputs (`isWaiting`): the job is then started again
 * with the next call, or goes on if the server stops.
 */
export async function workOn(deps: FolderJobDeps, job: FolderJob): Promise<JobOutcome> {
  const jobs = await deps.jobs();
  const labels = uniqueNames(job.inputs.map(({ name }) => cleanFileName(name)));
  for (;;) {
    const jobId = await start(deps, jobs, job, labels);
    const record = await completed(jobs, jobId, job);
    // It was removed before its result was used: it is done once more.
    if (record === undefined) continue;
    const forget = (): Promise<void> =>
      jobs.forget(jobId).then(
        () => undefined,
        (error: unknown) => deps.log.info({ err: error, jobId }, 'the job of a run stays until it expires'),
      );
    if (wasStoppedTooOften(record) && (await job.mayStartAgain(record.attempts))) {
      await jobs.forget(jobId);
      continue;
    }
    if (record.failure !== null) {
      const error = reviveError(record.failure);
      const cancelled = record.status === 'cancelled';
      if (isWaiting(error) && !cancelled) {
        await jobs.forget(jobId);
        throw error;
      }
      // Whoever looks for it in the list of jobs finds why it failed.
      return { faults: new Map(job.inputs.map(({ name }) => [name, error])), forget: async () => undefined };
    }
    return { ...outcomeOf(jobs, record, job.inputs, labels), forget };
  }
}

/** Starts the job of this run, or finds it; returns its id. */
async function start(
  { needsOf, ownerOf }: FolderJobDeps,
  jobs: JobService,
  { run, folder, place, inputs, pipeline: json, report, principal }: FolderJob,
  labels: readonly string[],
): Promise<string> {
  const { jobId } = await jobs.start({
    kind: 'pipeline',
    path: `${PATH}/${folder}/run`,
    params: {},
    pipeline: json,
    unattended: true,
    owner: ownerOf(principal),
    caller: principal,
    needs: needsOf(report.steps.map(({ entry }) => entry)),
    // Somebody who waits for an answer comes first.
    urgency: 5,
    uuid: jobUuid('watched folder', run),
    inputs: await Promise.all(
      inputs.map(async ({ name }, index) => {
        const path = join(place, name);
        const label = labels[index] ?? 'default';
        return { field: 'fileInput', name: label, kind: sniffKind(await readHead(path), label) ?? 'bin', path };
      }),
    ),
  });
  return jobId;
}

/** Waits for a job. Rejects with SHUTTING_DOWN when the server stops before it has begun, or for good. */
async function completed(
  jobs: JobService,
  jobId: string,
  { signal, stopping }: Pick<FolderJob, 'signal' | 'stopping'>,
): Promise<JobRecord | undefined> {
  for (const until of [AbortSignal.any([stopping, signal]), signal]) {
    const record = await jobs.finished(jobId, until);
    if (record === undefined || record.complete) return record;
    // It may have begun since its record was read.
    if ((await jobs.get(jobId))?.status === 'queued') break;
  }
  throw new OperationalError('SHUTTING_DOWN');
}

function outcomeOf(
  jobs: JobService,
  record: JobRecord,
  inputs: readonly RunInput[],
  labels: readonly string[],
): Omit<JobOutcome, 'forget'> {
  const { facts } = record;
  const faults = new Map(
    (facts?.faults ?? []).map(({ file, error }) => [inputs[labels.indexOf(file)]?.name ?? file, reviveError(error)]),
  );
  if (faults.size === inputs.length) return { faults };
  return {
    faults,
    result: {
      files: record.allResultFiles.map(({ fileId, fileName, fileSize, contentType }) => ({
        name: fileName,
        size: fileSize,
        contentType,
        stage: (part) => stageResult(jobs, record, fileId, part),
      })),
      dropped: (facts?.dropped ?? []) as readonly DroppedFile[],
      effects: facts?.effects ?? [],
      warnings: facts?.warnings ?? [],
      steps: (facts?.steps ?? []) as readonly StepTime[],
    },
  };
}

/** Copies a file of a result to its part file and flushes it to disk; `part` must not exist yet. */
async function stageResult(jobs: JobService, record: JobRecord, fileId: string, part: string): Promise<void> {
  const file = await jobs.openResult(record, fileId);
  // The job was removed in between; the next attempt starts it again.
  if (file === undefined) throw new OperationalError('STORE_DOWN');
  if (file.path === undefined) {
    await pipeline(file.stream, createWriteStream(part, { flags: 'wx' }));
    await flush(part);
  } else {
    file.stream.destroy();
    await copyDurably(file.path, part);
  }
}
