import { AccessError, defineEndpoint, type Endpoint, type EndpointRequest, type JoiRoot } from '@quire/registry';
import { eventStream } from '../../http/response/index.js';
import type { JobListQuery, JobService } from '../index.js';
import type { JobAccessDeps } from './job-access.js';
import { failureShape, resultFile } from './job-shapes.js';

export interface JobListDeps extends Pick<JobAccessDeps, 'ownerOf'> {
  /** Resolves once the jobs of the last run are recovered. */
  jobs(): Promise<JobService>;
}

const MOST_JOBS = 200;
const USUAL_JOBS = 50;
const statuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

/** The caller's jobs as a list, once and as events. */
export function jobListEndpoints(deps: JobListDeps): Endpoint[] {
  const errors = ['KEY_INVALID' as const, 'ADMIN_ONLY' as const];
  return [
    defineEndpoint({
      id: 'listJobs',
      method: 'GET',
      path: 'general/jobs',
      since: '1.3.0',
      summary: 'List jobs',
      notes:
        "The caller's jobs, newest first, until they expire; administrators get those of all users with " +
        '`everyone=true`. Pass `next` as `before` for the following page. Times are UTC (RFC 3339).',
      request: { query: listQuery },
      returns: {
        description: 'Jobs',
        json: jobListShape,
        links: [{ to: 'getJob', parameters: { jobId: '$response.body#/jobs/0/jobId' } }],
      },
      errors,
      handle: async (request) => ({ json: await (await deps.jobs()).list(queryOf(deps, request)) }),
    }),
    defineEndpoint({
      id: 'getJobListEvents',
      method: 'GET',
      path: 'general/jobs/events',
      since: '1.3.0',
      summary: 'Stream the list of jobs (server-sent events)',
      notes: 'The list now, and again after changes, at most every half second. The stream does not end by itself.',
      request: { query: listQuery },
      returns: { description: 'Events, each with the list', mediaType: 'text/event-stream', json: jobListShape },
      errors,
      handle: async (request) => {
        const lists = (await deps.jobs()).listEvents(queryOf(deps, request), request.signal);
        return {
          stream: { mediaType: 'text/event-stream', body: eventStream(lists, request.signal) },
          headers: { 'cache-control': 'private, no-store' },
        };
      },
    }),
  ];
}

function queryOf(deps: JobListDeps, { principal, query }: EndpointRequest): JobListQuery {
  const { status, limit, before, everyone } = query as {
    status?: (typeof statuses)[number];
    limit: number;
    before?: number;
    everyone: boolean;
  };
  if (everyone && principal.role === 'user') throw new AccessError('ADMIN_ONLY');
  return {
    limit,
    ...(everyone ? {} : { owner: deps.ownerOf(principal) }),
    ...(status === undefined ? {} : { status }),
    ...(before === undefined ? {} : { before }),
  };
}

function listQuery(joi: JoiRoot) {
  return joi.object({
    status: joi
      .string()
      .valid(...statuses)
      .description('Only jobs with this status'),
    limit: joi.number().integer().min(1).max(MOST_JOBS).default(USUAL_JOBS).description('Most jobs in the answer'),
    before: joi.number().min(0).description('`next` of the page before'),
    everyone: joi.boolean().default(false).description('Jobs of all users; administrators only'),
  });
}

function jobListShape(joi: JoiRoot) {
  const instant = () => joi.string().isoDate().required();
  const job = joi
    .object({
      jobId: joi.string().required(),
      kind: joi.string().valid('operation', 'pipeline').required(),
      path: joi.string().allow('').required().description('Path of the operation, or name of the pipeline'),
      status: joi
        .string()
        .valid(...statuses)
        .required(),
      progress: joi.number().integer().min(0).max(100).required(),
      step: joi
        .object({ index: joi.number().integer(), path: joi.string() })
        .allow(null)
        .required()
        .description('Pipeline step that is running'),
      queuePosition: joi.number().integer().allow(null).required(),
      error: joi.string().allow(null).required(),
      ...failureShape(joi),
      startedBy: joi.string().allow(null).required().description('User name; null while login is off'),
      inputs: joi.array().items(joi.string().allow('')).required().description('Names of the input files'),
      files: joi.array().items(resultFile(joi)).required(),
      createdAt: instant(),
      startedAt: instant().allow(null),
      completedAt: instant().allow(null),
      expiresAt: instant().allow(null).description('Time until which the job is kept'),
    })
    .label('ListedJob');
  return joi
    .object({
      jobs: joi.array().items(job).required(),
      next: joi.number().allow(null).required().description('Begin of the following page; null on the last'),
    })
    .label('JobList');
}
