import { createHash, randomUUID } from 'node:crypto';
import type { Principal } from '@quire/registry';
import { sealJson } from '../secrets/index.js';
import { sealCallback } from './job-callbacks.js';
import type { JobServiceOptions } from './job-options.js';
import type { JobTurn } from './job-order.js';
import { localDateTime, type JobRecord, type StoredInput } from './job-record.js';
import type { JobRequest } from './job-service.js';

/** Creates the first record of a job. Parameters and callback are encrypted with `secretKey`. */
export function newJobRecord(
  {
    kind,
    path,
    params,
    pipeline,
    strict,
    unattended,
    each,
    owner,
    caller,
    callback,
    uuid = randomUUID(),
    needs = [],
  }: JobRequest,
  inputs: readonly StoredInput[],
  createdAtMs: number,
  { fairMs, rank }: JobTurn,
  { clock, secretKey }: Pick<JobServiceOptions, 'clock' | 'secretKey'>,
): JobRecord {
  const id = jobIdOf(uuid, owner, caller);
  return {
    id,
    jobId: id,
    owner,
    ...(caller === undefined ? {} : { caller }),
    kind,
    path,
    ...(unattended === true ? { unattended } : {}),
    ...(each === true ? { each } : {}),
    inputs,
    inputNames: inputs.map(({ name }) => name),
    complete: false,
    error: null,
    createdAt: localDateTime(clock.now()),
    completedAt: null,
    result: null,
    notes: [],
    metadata: {},
    allResultFiles: [],
    status: 'queued',
    progress: 0,
    step: null,
    queuePosition: null,
    attempts: 0,
    expiresAt: null,
    failure: null,
    facts: null,
    headers: {},
    archiveName: null,
    resultKinds: [],
    secret: sealJson(secretKey, id, { params, pipeline, strict }),
    ...(callback === undefined ? {} : sealCallback(secretKey, id, callback)),
    claimId: null,
    returns: 0,
    needs,
    strandedAtMs: null,
    fairMs,
    rank,
    createdAtMs,
    startedAtMs: null,
    heartbeatAtMs: null,
    completedAtMs: null,
    expiresAtMs: null,
    graced: false,
  };
}

/**
 * Returns the id of a job. It contains the user name, as clients expect, which does not decide ownership, because names
 * can be reused: `owner` does.
 */
export function jobIdOf(uuid: string, owner: string, caller: Pick<Principal, 'name'> | undefined): string {
  return owner === '' ? uuid : `${caller?.name ?? owner}:${uuid}`;
}

/**
 * Returns the random part of a job's id for work that is named by these texts: the same for the same texts, so that a
 * start that is repeated after a crash finds the job of the first one (`JobRequest.uuid`).
 */
export function jobUuid(...work: readonly string[]): string {
  const hex = createHash('sha256')
    .update(JSON.stringify(['job', ...work]))
    .digest('hex');
  // A UUID of version 8 (RFC 9562, 5.8): bits of the application's own.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
