import type { CatalogOperation } from '@quire/catalog';
import type { EndpointAnswer, Principal } from '@quire/registry';
import { OperationalError, reviveError } from '@quire/registry';
import type { Guard } from '../../access/index.js';
import type { Callbacks } from '../../jobs/callbacks/index.js';
import type { Needs } from '../../jobs/cluster/index.js';
import type { Runner } from '../../operations/runner/index.js';
import type { WireFile } from '../../operations/workers/index.js';
import type { JobRecord, JobService } from '../../jobs/index.js';
import type { Settings } from '../../settings/index.js';
import type { CallOptions } from '../request/call-options.js';
import { finishedAnswer } from './job-result.js';
import { urgencyOf } from '../request/urgency.js';
import { waitForEnd } from './wait-for-job.js';

export interface JobStart {
  readonly kind: 'operation' | 'pipeline';
  readonly path: string;
  /** The operations that the job runs. */
  readonly entries: readonly CatalogOperation[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly pipeline?: unknown;
  readonly files: readonly WireFile[];
  readonly parts: Readonly<Record<string, readonly WireFile[]>>;
  readonly principal: Principal;
  readonly call: CallOptions;
  /** Accept and Priority of the request. */
  readonly requestHeaders: Readonly<Record<string, string | undefined>>;
  /** Headers of the answer that reports the started job. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** The random part of the job id, if it was chosen earlier. */
  readonly uuid?: string;
}

export interface JobStartDeps {
  readonly settings: Settings;
  readonly guard: Guard;
  readonly callbacks: Callbacks;
  readonly scratchRoot: string;
  jobs(): Promise<JobService>;
  needsOf(entries: readonly CatalogOperation[]): Needs;
  ownerOf(principal: Principal): string;
  zip: Runner['zip'];
  accepting(): boolean;
}

/**
 * Keeps the uploads and starts the job. Returns `{async, jobId, result}` (`docs/interface/jobs.yml`, starting a job),
 * or the job's own answer if the caller waits and the job ends in time; then a failure of the job is thrown.
 */
export async function startJob(deps: JobStartDeps, start: JobStart): Promise<EndpointAnswer> {
  const { call, principal, requestHeaders } = start;
  const inputs = [
    ...start.files.map((file) => ({ field: 'fileInput', ...file })),
    ...Object.entries(start.parts).flatMap(([field, files]) => files.map((file) => ({ field, ...file }))),
  ];
  const owner = deps.ownerOf(principal);
  if (call.callback !== undefined) await deps.callbacks.admit(owner);
  const jobs = await deps.jobs();
  const { jobId } = await jobs.start({
    kind: start.kind,
    path: start.path,
    params: withoutCallback(start.params),
    strict: call.strict,
    inputs,
    owner,
    caller: principal,
    needs: deps.needsOf(start.entries),
    urgency: urgencyOf(requestHeaders['priority'], principal, deps.guard.loginEnabled),
    ...(start.pipeline === undefined ? {} : { pipeline: start.pipeline }),
    ...(call.callback === undefined ? {} : { callback: call.callback }),
    ...(start.uuid === undefined ? {} : { uuid: start.uuid }),
  });
  const record =
    call.waitMs > 0
      ? await waitForEnd({ jobs, accepting: () => deps.accepting() }, jobId, call.waitMs, start.signal)
      : undefined;
  if (record !== undefined) return answerInTime(deps, jobs, record, start);
  const location = `${deps.settings.get('system.rootUriPath')}/api/v1/general/job/${encodeURIComponent(jobId)}`;
  // Only the preferences that were requested and applied (RFC 7240, 3).
  const applied = [
    ...(call.respondAsync ? ['respond-async'] : []),
    ...(call.waitApplied === '' ? [] : [call.waitApplied]),
  ].join(', ');
  return {
    status: call.accepted ? 202 : 200,
    json: { async: true, jobId, result: null },
    headers: {
      location,
      'retry-after': '1',
      ...start.headers,
      ...(call.accepted ? { 'preference-applied': applied } : {}),
    },
  };
}

async function answerInTime(
  deps: JobStartDeps,
  jobs: JobService,
  record: JobRecord,
  { call, requestHeaders, signal }: JobStart,
): Promise<EndpointAnswer> {
  // Nobody can ask for this job, because its id was not returned; only a call-back may still report it.
  const release = async (): Promise<void> => {
    if (call.callback === undefined) await jobs.forget(record.jobId);
  };
  try {
    if (record.status !== 'succeeded')
      throw record.failure === null ? new OperationalError('CANCELLED') : reviveError(record.failure);
    const answer = await finishedAnswer(
      { jobs, scratchRoot: deps.scratchRoot, zip: deps.zip },
      record,
      requestHeaders['accept'],
      signal,
    );
    const headers = { ...answer.headers, 'preference-applied': call.waitApplied };
    if (answer.file !== undefined) return { ...answer, headers, file: { ...answer.file, release } };
    await release();
    return { ...answer, headers };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Separates the call-back fields from the operation's own parameters. */
function withoutCallback({
  callbackUrl: _url,
  callbackSecret: _secret,
  ...params
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return params;
}
