import { basename } from 'node:path';
import type { RunRecord, ShownItem } from '../../automation/index.js';
import type { FailedFileRecord, FolderRunRecord } from './folder-records.js';

const UNKNOWN_KIND = 'application/octet-stream';

/** A run of a watched folder as automations have it; one with a file that failed has failed. */
export function runOf(run: FolderRunRecord): RunRecord {
  const { id, folder, files, outputs, warnings, attempts, retry, outcome, facts, takenAt, endedAt } = run;
  const fault = files.find(({ error }) => error !== undefined)?.error;
  return {
    id,
    automationId: folder,
    itemId: fileIdOf(id, 0),
    startedBy: '',
    trigger: triggerOf(retry),
    inputs: files.map(({ name }) => name),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    attempt: attempts,
    state: outcome === 'done' ? 'completed' : 'failed',
    startedAt: Date.parse(takenAt),
    endedAt: Date.parse(endedAt),
    stepCount: facts?.stepCount ?? 0,
    outputs: outputs.map((place, at) => ({
      name: basename(place),
      size: facts?.results[at]?.size ?? 0,
      contentType: facts?.results[at]?.contentType ?? UNKNOWN_KIND,
      fileId: null,
      places: [place],
    })),
    warnings,
    steps: facts?.steps ?? [],
    code: fault?.code ?? null,
    detail: fault?.detail ?? null,
  };
}

/** The files of a run whose results are delivered. */
export function itemsOfRun(run: FolderRunRecord): ShownItem[] {
  return run.files.flatMap(({ name, bytes, status }, at) =>
    status === 'failed'
      ? []
      : [
          {
            ...sharedOf(run, name, bytes),
            id: fileIdOf(run.id, at),
            state: 'delivered',
            since: run.endedAtMs,
            foundAt: Date.parse(run.takenAt),
            attempts: run.attempts,
            reason: null,
            jobId: run.id,
            deliveries: run.outputs.map((place, file) => ({ destination: '', file, done: true, place, note: null })),
            trigger: triggerOf(run.retry),
          },
        ],
  );
}

/** A failed file, which is parked in `failed/`. */
export function itemOfFailed({ id, run, name, bytes, failedAtMs, error }: FailedFileRecord): ShownItem {
  return {
    ...sharedOf({ endedAtMs: failedAtMs }, name, bytes),
    id,
    state: 'parked',
    since: failedAtMs,
    foundAt: failedAtMs,
    attempts: 1,
    reason: { code: error.code, detail: error.detail },
    jobId: run,
    deliveries: [],
    trigger: 'arrival',
  };
}

function sharedOf({ endedAtMs }: Pick<FolderRunRecord, 'endedAtMs'>, name: string, size: number) {
  return { sourceId: '', name, size, nextAt: endedAtMs, claim: '' };
}

/** As ids of failed files. */
export function fileIdOf(run: string, at: number): string {
  return `${run}-${at}`;
}

function triggerOf(retry: boolean): RunRecord['trigger'] {
  return retry ? 'manual' : 'arrival';
}
