import { defineEndpoint, type Endpoint, isQuireError, type JoiRoot, type Principal } from '@quire/registry';
import { toWire, type JobRecord, type JobService, type OpenResultFile } from '../index.js';
import { ownJob, requireResult, unknownJob, type JobAccessDeps } from './job-access.js';
import { eventStream } from '../../http/response/index.js';
import { finishedAnswer, wantsJson } from '../../http/jobs/index.js';
import { preferences } from '../../http/request/index.js';
import { waitForChange } from '../../http/jobs/index.js';
import { callbackWire, type Callbacks } from '../callbacks/index.js';
import type { Runner } from '../../operations/runner/index.js';
import type { Settings } from '../../settings/index.js';
import { failureShape, resultFile } from './job-shapes.js';

export interface JobEndpointDeps extends JobAccessDeps {
  /** False while the server shuts down. */
  accepting(): boolean;
  readonly callbacks: Callbacks;
  /** Resolves once the jobs of the last run are recovered. */
  jobs(): Promise<JobService>;
  runner(): Runner;
  readonly scratchRoot: string;
  readonly settings: Settings;
}

const jobId = (joi: JoiRoot) =>
  joi.object({
    jobId: joi
      .string()
      .max(300)
      .required()
      .description('Id from the response that started the job')
      .example('4f6c2f0e-9f2b-4a7e-8c55-0d7c7c1f3b11'),
  });
const fileId = (joi: JoiRoot) =>
  joi.object({ fileId: joi.string().max(300).required().description('Id of a result file') });

const jobMembers = (joi: JoiRoot) => ({
  jobId: joi.string().required(),
  complete: joi.boolean().required().description('True once the job has succeeded, failed or been cancelled'),
  error: joi.string().allow(null).required().description('Why it failed or was cancelled'),
  ...failureShape(joi),
  createdAt: joi.string().isoDate().required(),
  completedAt: joi.string().isoDate().allow(null).required(),
  result: joi.any().description('Output of an operation that returns no file'),
  notes: joi.array().items(joi.string()).required(),
  metadata: joi.object().pattern(joi.string(), joi.string()).required(),
  allResultFiles: joi.array().items(resultFile(joi)).required(),
  status: joi.string().valid('queued', 'running', 'succeeded', 'failed', 'cancelled').required(),
  progress: joi.number().integer().min(0).max(100).required(),
  step: joi
    .object({ index: joi.number().integer(), path: joi.string() })
    .allow(null)
    .description('Pipeline step that is running'),
  queuePosition: joi.number().integer().allow(null),
  attempts: joi.number().integer().required(),
  expiresAt: joi
    .string()
    .isoDate()
    .allow(null)
    .description('Time until which the job is kept; the next clean-up removes it'),
});

const jobRecord = (joi: JoiRoot) =>
  joi
    .object({
      ...jobMembers(joi),
      jobResult: joi
        .object(jobMembers(joi))
        .label('WaitingJob')
        .description('While the job waits: the same members again'),
      queueInfo: joi
        .object({ inQueue: joi.boolean().valid(true).required(), position: joi.number().integer().required() })
        .label('JobQueueInfo')
        .description('Only while the job waits'),
    })
    .label('Job');

const callbackList = (joi: JoiRoot) =>
  joi
    .object({
      jobId: joi.string().required(),
      callbacks: joi
        .array()
        .required()
        .items(
          joi
            .object({
              webhookId: joi
                .string()
                .allow(null)
                .required()
                .description('`webhook-id` of every attempt; null until the job is complete'),
              type: joi.string().valid('job.succeeded', 'job.failed', 'job.cancelled').allow(null).required(),
              to: joi.string().allow(null).required().description('Scheme, host and port of the address'),
              status: joi
                .string()
                .valid('waiting', 'pending', 'delivered', 'failed')
                .required()
                .description('waiting: the job is not complete; pending: another attempt is due'),
              attempts: joi
                .array()
                .required()
                .items(
                  joi
                    .object({
                      number: joi.number().integer().required(),
                      at: joi.string().isoDate().required(),
                      durationMs: joi.number().integer().required(),
                      status: joi.number().integer().allow(null).required().description('HTTP status of the response'),
                      error: joi.string().allow(null).required(),
                    })
                    .label('JobCallbackAttempt'),
                ),
              nextAttemptAt: joi.string().isoDate().allow(null).required(),
            })
            .label('JobCallback'),
        ),
    })
    .label('JobCallbacks');

const common = ['KEY_INVALID', 'JOB_FORBIDDEN', 'JOB_UNKNOWN'] as const;

async function findJob(
  deps: JobEndpointDeps,
  id: string | undefined,
  principal: Principal,
  withFiles = false,
): Promise<JobRecord> {
  return ownJob(deps, await deps.jobs(), id ?? '', principal, withFiles);
}

async function openOwnFile(deps: JobEndpointDeps, id: string, principal: Principal): Promise<OpenResultFile> {
  const file = await (await deps.jobs()).openFile(id);
  if (file !== undefined && file.meta.owner === deps.ownerOf(principal)) return file;
  file?.stream.destroy();
  throw unknownJob(deps, 'file', id);
}

/** Endpoints for polling, results, cancelling and events of jobs (`docs/interface/jobs.yml`). */
export function jobEndpoints(deps: JobEndpointDeps): Endpoint[] {
  return [...statusEndpoints(deps), ...resultEndpoints(deps), ...controlEndpoints(deps), ...fileEndpoints(deps)];
}

function statusEndpoints(deps: JobEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      id: 'getJob',
      method: 'GET',
      path: 'general/job/{jobId}',
      since: '1.0.0',
      summary: 'Get the status of a job',
      request: { params: jobId },
      notes:
        'With `Prefer: wait=n` the response comes at the next change, or after n seconds. While the job waits, ' +
        'its members are also in `jobResult`, next to `queueInfo`.',
      returns: {
        description: 'The job',
        json: jobRecord,
        links: ['getJobResult', 'getJobResultFiles', 'getJobEvents', 'getJobCallbacks', 'cancelJob'].map((to) => ({
          to,
          parameters: { jobId: '$response.body#/jobId' },
        })),
      },
      errors: [...common],
      handle: async ({ params, principal, headers, signal }) => {
        const record = await findJob(deps, params['jobId'], principal);
        const { wait } = preferences(headers['prefer']);
        if (wait === undefined) return { json: toWire(record) };
        const seconds = Math.min(wait, deps.settings.get('jobs.maxWaitSeconds'));
        await waitForChange(
          { jobs: await deps.jobs(), accepting: () => deps.accepting() },
          record,
          seconds * 1000,
          signal,
        );
        return {
          json: toWire(await findJob(deps, params['jobId'], principal)),
          headers: { 'preference-applied': `wait=${seconds}` },
        };
      },
    }),
    defineEndpoint({
      id: 'getJobCallbacks',
      method: 'GET',
      path: 'general/job/{jobId}/callbacks',
      since: '1.4.0',
      summary: 'List the callback deliveries of a job',
      request: { params: jobId },
      notes:
        'Shows what happened with the `callbackUrl` of the job: each attempt, and when the next one is due. ' +
        'Available for a day after the last attempt, even if the job itself has been removed.',
      returns: { description: 'The deliveries; empty for a job without `callbackUrl`', json: callbackList },
      errors: [...common],
      handle: async ({ params, principal }) => {
        const id = params['jobId'] ?? '';
        const delivery = await deps.callbacks.of(id);
        if (delivery !== undefined && delivery.owner === deps.ownerOf(principal))
          return { json: { jobId: id, callbacks: [callbackWire(delivery)] } };
        const record = await findJob(deps, id, principal);
        const waiting = { webhookId: null, type: null, to: null, status: 'waiting', attempts: [], nextAttemptAt: null };
        return { json: { jobId: record.jobId, callbacks: record.callbackState === undefined ? [] : [waiting] } };
      },
    }),
  ];
}

function resultEndpoints(deps: JobEndpointDeps): Endpoint[] {
  return [jobResult(deps), jobResultFiles(deps)];
}

function jobResult(deps: JobEndpointDeps): Endpoint {
  return defineEndpoint({
    id: 'getJobResult',
    method: 'GET',
    path: 'general/job/{jobId}/result',
    since: '1.0.0',
    summary: 'Download the output of a job',
    request: { params: jobId },
    notes:
      'Returns the same bytes and headers as the synchronous call: the file, or a zip of several files. With ' +
      '`Accept: application/json` it returns the list of files instead. The problem of a failed job (`JOB_FAILED`) has ' +
      'in `cause` the problem that the call without a job would have answered with.',
    returns: {
      description: 'The output; as JSON the output of the operation, or the list of files',
      // Any type, JSON included. Naming JSON would make generated clients ask for the list of files instead.
      mediaType: 'application/octet-stream',
      also: { 204: { description: 'Every file was filtered out' } },
    },
    errors: [...common, 'JOB_NOT_FINISHED', 'JOB_FAILED', 'JOB_FILE_LOST'],
    handle: async ({ params, principal, headers, signal }) => {
      const record = await findJob(deps, params['jobId'], principal, true);
      requireResult(record);
      const hasFiles = record.allResultFiles.length > 0 || record.archiveName !== null;
      if (hasFiles && wantsJson(headers['accept']))
        return {
          json: {
            jobId: record.jobId,
            hasMultipleFiles: record.allResultFiles.length > 1,
            files: record.allResultFiles,
          },
        };
      return finishedAnswer(
        { jobs: await deps.jobs(), scratchRoot: deps.scratchRoot, zip: (...zip) => deps.runner().zip(...zip) },
        record,
        headers['accept'],
        signal,
      );
    },
  });
}

function jobResultFiles(deps: JobEndpointDeps): Endpoint {
  return defineEndpoint({
    id: 'getJobResultFiles',
    method: 'GET',
    path: 'general/job/{jobId}/result/files',
    since: '1.0.0',
    summary: 'List the result files of a job',
    request: { params: jobId },
    returns: {
      description: 'The result files',
      json: (joi) =>
        joi
          .object({
            jobId: joi.string().required(),
            fileCount: joi.number().integer().required(),
            files: joi.array().items(resultFile(joi)).required(),
          })
          .label('JobFiles'),
      links: ['getFile', 'getFileMetadata'].map((to) => ({
        to,
        parameters: { fileId: '$response.body#/files/0/fileId' },
      })),
    },
    errors: [...common, 'JOB_NOT_FINISHED', 'JOB_FAILED'],
    handle: async ({ params, principal }) => {
      const record = await findJob(deps, params['jobId'], principal);
      requireResult(record);
      return { json: { jobId: record.jobId, fileCount: record.allResultFiles.length, files: record.allResultFiles } };
    },
  });
}

/** A job may finish while it is being cancelled: it is deleted then. Throws JOB_UNKNOWN when it is gone. */
async function cancelOrForget(jobs: JobService, jobId: string) {
  try {
    const { wasQueued, queuePosition } = await jobs.cancel(jobId);
    return { message: 'Job cancelled successfully', wasQueued, queuePosition };
  } catch (error) {
    if (!isQuireError(error) || error.code !== 'JOB_COMPLETE') throw error;
    await jobs.forget(jobId);
    return { message: 'Job and its files deleted', wasQueued: false, queuePosition: 'n/a' };
  }
}

function controlEndpoints(deps: JobEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      id: 'cancelJob',
      method: 'DELETE',
      path: 'general/job/{jobId}',
      since: '1.0.0',
      summary: 'Cancel or delete a job',
      request: { params: jobId },
      notes:
        'A waiting or running job is cancelled. A finished job is deleted with its result files, before they expire; ' +
        'a callback that was not delivered yet is dropped with it.',
      returns: {
        description: 'The job was cancelled or deleted',
        json: (joi) =>
          joi
            .object({
              message: joi.string().required(),
              wasQueued: joi.boolean().required(),
              queuePosition: joi.alternatives(joi.number().integer(), joi.string().valid('n/a')).required(),
            })
            .label('JobCancelled'),
      },
      errors: common,
      handle: async ({ params, principal }) => {
        const { jobId } = await findJob(deps, params['jobId'], principal);
        return { json: await cancelOrForget(await deps.jobs(), jobId) };
      },
    }),
    defineEndpoint({
      id: 'getJobEvents',
      method: 'GET',
      path: 'general/job/{jobId}/events',
      since: '1.0.0',
      summary: 'Stream the progress of a job (server-sent events)',
      request: { params: jobId },
      notes: 'Each event contains the job; the stream ends when the job is complete.',
      returns: { description: 'Events, each with the job', mediaType: 'text/event-stream', json: jobRecord },
      errors: [...common],
      handle: async ({ params, principal, signal }) => {
        const record = await findJob(deps, params['jobId'], principal);
        const events = (await deps.jobs()).events(record.jobId, signal);
        return {
          stream: { mediaType: 'text/event-stream', body: eventStream(events, signal) },
          headers: { 'cache-control': 'private, no-store' },
        };
      },
    }),
  ];
}

function fileEndpoints(deps: JobEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      id: 'getFile',
      method: 'GET',
      path: 'general/files/{fileId}',
      since: '1.0.0',
      summary: 'Download a result file',
      request: { params: fileId },
      returns: { description: 'The file', mediaType: 'application/octet-stream' },
      errors: [...common],
      handle: async ({ params, principal }) => {
        const { meta, stream, size } = await openOwnFile(deps, params['fileId'] ?? '', principal);
        return { file: { name: meta.fileName, mediaType: meta.contentType, stream, size } };
      },
    }),
    defineEndpoint({
      id: 'getFileMetadata',
      method: 'GET',
      path: 'general/files/{fileId}/metadata',
      since: '1.0.0',
      summary: 'Get the name, type and size of a result file',
      request: { params: fileId },
      returns: { description: 'Name, type and size', json: resultFile },
      errors: [...common],
      handle: async ({ params, principal }) => {
        const asked = params['fileId'] ?? '';
        const meta = await (await deps.jobs()).describeFile(asked);
        if (meta?.owner !== deps.ownerOf(principal)) throw unknownJob(deps, 'file', asked);
        const { fileId: id, fileName, contentType, fileSize } = meta;
        return { json: { fileId: id, fileName, contentType, fileSize } };
      },
    }),
  ];
}
