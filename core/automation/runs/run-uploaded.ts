import { randomUUID } from 'node:crypto';
import { InputError, type DocumentFile, type Principal } from '@quire/registry';
import { isDuplicateRecord } from '../../store/index.js';
import { definitionOf } from '../automations/check-automation.js';
import type { Automation } from '../automations/model.js';
import { itemIdOf, UPLOADED } from '../items/item-record.js';
import type { PipelineService } from '../../operations/pipelines/index.js';
import type { EngineDeps } from './engine-deps.js';

export interface UploadDeps extends Pick<
  EngineDeps,
  'items' | 'runs' | 'saved' | 'clock' | 'tallies' | 'jobs' | 'needsOf' | 'ownerOf'
> {
  pipelines(): Pick<PipelineService, 'verify' | 'check'>;
  wake(automationId: string): void;
}

export interface Upload {
  readonly files: readonly DocumentFile[];
  readonly principal: Principal;
  /** Random part of the job's id, when it was chosen earlier. */
  readonly uuid: string | undefined;
}

/**
 * Starts a job that runs an automation on files of a call; its results go where the automation sends them. Returns the
 * id of the job. Throws as `PipelineService.verify`, and INPUT_FILE_MISSING, INPUT_FILE_EMPTY.
 */
export async function runUploaded(
  deps: UploadDeps,
  automation: Automation,
  { files, principal, uuid = randomUUID() }: Upload,
): Promise<string> {
  const empty = files.find(({ size }) => size === 0);
  if (empty !== undefined)
    throw new InputError('INPUT_FILE_EMPTY', { field: 'fileInput' }, [
      { pointer: '/fileInput', detail: `${empty.name} is empty` },
    ]);
  const json = await definitionOf(deps.saved, automation.content.work, automation.name, principal);
  const report = await deps.pipelines().verify(json, principal, false, true);
  await deps.pipelines().check(report, principal);
  const jobs = await deps.jobs();
  const { jobId } = await jobs.start({
    kind: 'pipeline',
    path: `automations/${automation.id}/run`,
    params: {},
    pipeline: json,
    owner: deps.ownerOf(principal),
    caller: principal,
    needs: deps.needsOf(report.steps.map(({ entry }) => entry)),
    uuid,
    inputs: files.map((file) => ({ field: 'fileInput', name: file.name, kind: file.kind, path: file.path() })),
  });
  await note(deps, automation.id, { files, principal, uuid }, jobId, report.steps.length);
  deps.wake(automation.id);
  return jobId;
}

/** The same call again finds the records of the first one. */
async function note(
  { items, runs, clock, tallies }: UploadDeps,
  automationId: string,
  { files, principal, uuid }: Upload & { readonly uuid: string },
  jobId: string,
  stepCount: number,
): Promise<void> {
  if ((await runs.get(jobId)) !== undefined) return;
  const now = clock.now().getTime();
  const size = files.reduce((sum, file) => sum + file.size, 0);
  await runs.put({
    id: jobId,
    automationId,
    itemId: itemIdOf(automationId, UPLOADED, uuid),
    startedBy: principal.id,
    trigger: 'upload',
    inputs: files.map(({ name }) => name),
    bytes: size,
    attempt: 1,
    state: 'running',
    startedAt: now,
    endedAt: null,
    stepCount,
    outputs: [],
    warnings: [],
    code: null,
    detail: null,
  });
  tallies.add(automationId, 'runs');
  const name = files[0]?.name ?? '';
  await items
    .uploaded({ automationId, key: uuid, name, size, jobId, attempts: 1, foundAt: now })
    .catch((error: unknown) => {
      if (!isDuplicateRecord(error)) throw error;
    });
}
