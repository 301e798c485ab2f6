import {
  InputError,
  type DocumentFile,
  type EndpointAnswer,
  type EndpointRequest,
  type JoiRoot,
  type Outbound,
} from '@quire/registry';
import type { CatalogOperation } from '@quire/catalog';
import type { AvailabilityTable } from '../../../access/index.js';
import { rateLimitFields, type Charge } from '../../../billing/index.js';
import { startJob, type JobStartDeps } from '../../../http/jobs/index.js';
import { answerMediaType, callOptions, preferences } from '../../../http/request/index.js';
import { factHeaders, noticedHeaders } from '../../../http/response/index.js';
import type { JobFacts } from '../../../jobs/index.js';
import { Scratch, type Runner } from '../../runner/index.js';
import type { WireFile } from '../../workers/index.js';
import {
  pipelineFacts,
  sentField,
  sentFiles,
  refuseWrongTypes,
  type PipelineReport,
  type PipelineResult,
  type PipelineService,
  type SentFiles,
} from '../index.js';

export interface PipelineCallDeps extends Omit<JobStartDeps, 'zip'> {
  availability(): AvailabilityTable;
  readonly outbound: Outbound;
  pipelines(): PipelineService;
  runner(): Runner;
  /** True when another node can run these operations and this node cannot. */
  takenElsewhere(entries: readonly CatalogOperation[]): Promise<boolean>;
}

const jobStarted = (joi: JoiRoot) =>
  joi
    .object({
      async: joi.boolean().valid(true).required(),
      jobId: joi.string().required(),
      result: joi.valid(null).required(),
    })
    .label('PipelineStarted');

/** Answers of a call that runs a pipeline, besides its output. */
export const runAnswers = {
  202: {
    description: 'The job was started and is still running (`Prefer: respond-async` or `wait=n`)',
    json: jobStarted,
  },
  204: { description: 'Every file was filtered out' },
} as const;

/**
 * Errors that a step may end with although pipeline and files are correct; the status of the step becomes the status of
 * the run.
 */
export const stepCodes = [
  'TIMEOUT',
  'STORAGE_FULL',
  'INTERNAL',
  'WORKER_LOST',
  'PROGRAM_MISSING',
  'PROGRAM_NOT_STARTED',
  'PROGRAM_FAILED',
  'SERVICE_NOT_SET_UP',
  'REMOTE_UNREACHABLE',
  'REMOTE_ANSWER',
  'REMOTE_TIMEOUT',
] as const;

/** True if the caller wants to be refused where a value would be ignored or replaced (RFC 7240, 4.4). */
export const isStrict = (headers: EndpointRequest['headers']): boolean => preferences(headers['prefer']).strict;

export interface PipelineCall {
  readonly json: unknown;
  readonly path: string;
  readonly ignored?: readonly string[];
  readonly stepFiles?: ReadonlyMap<string, readonly DocumentFile[]>;
}

/**
 * Runs the pipeline `json` on the files of a call, at once or as a job (`path` is the job's), as its headers and fields
 * ask. `ignored`: fields of the call that mean nothing. `stepFiles`: files for steps, by their key.
 */
export async function runCall(
  deps: PipelineCallDeps,
  request: EndpointRequest,
  { json, path, ignored = [], stepFiles = new Map() }: PipelineCall,
): Promise<EndpointAnswer> {
  const { payload, query, headers, principal, signal } = request;
  // Either may ask for a job; the query is already a boolean.
  const asked = query['async'] === true ? true : payload['async'];
  const call = callOptions(
    headers['prefer'],
    { ...payload, async: asked },
    { settings: deps.settings, outbound: deps.outbound, canBeJob: true },
  );
  const parts = Object.fromEntries([...stepFiles].map(([key, all]) => [sentField(key), all.map(wireFile)]));
  const sent = sentFiles(Object.entries(parts).flatMap(([field, all]) => all.map((file) => ({ ...file, field }))));
  const report = call.job
    ? await verifyForJob(deps, request, json, sent)
    : await deps.pipelines().verify(json, principal, isStrict(headers), false, sent);
  const files = (request.files['fileInput'] ?? []).map(wireFile);
  const empty = files.find(({ size }) => size === 0);
  if (empty !== undefined)
    throw new InputError('INPUT_FILE_EMPTY', { field: 'fileInput' }, [
      { pointer: '/fileInput', detail: `${empty.name} is empty` },
    ]);
  if (call.job) {
    await deps.pipelines().check(report, principal);
    return startJob(
      { ...deps, zip: (...zip) => deps.runner().zip(...zip) },
      {
        kind: 'pipeline',
        path,
        entries: report.steps.map(({ entry }) => entry),
        params: {},
        pipeline: json,
        files,
        parts,
        principal,
        call,
        requestHeaders: headers,
        headers: noticedHeaders({ ignored, replaced: call.replaced }),
        signal,
        ...(request.jobUuid === undefined ? {} : { uuid: request.jobUuid }),
      },
    );
  }
  const scratch = await Scratch.create(deps.scratchRoot);
  let charge: Charge | undefined;
  try {
    const result = await deps.pipelines().run(report, {
      files,
      // The uploads are in the folder of this call, which is removed with it.
      spendsFiles: true,
      principal,
      folder: scratch.root,
      signal,
      strict: call.strict,
    });
    ({ charge } = result);
    refuseWrongTypes(report, result, files);
    const { ignored: unknown, ...rest } = pipelineFacts(report, result, call.replaced);
    const facts = { ...rest, ignored: [...ignored, ...unknown] };
    const answered = await answer(deps, facts, result, headers['accept'], scratch, signal);
    await charge.settle();
    return { ...answered, headers: { ...answered.headers, ...rateLimitFields(charge.left, new Date()) } };
  } catch (error) {
    await charge?.refund();
    await scratch.dispose();
    throw error;
  }
}

function wireFile(file: DocumentFile): WireFile {
  return { name: file.name, kind: file.kind, size: file.size, path: file.path() };
}

/**
 * Verifies a pipeline for a job; a program that is missing here is not a fault if some node has everything that the
 * steps need.
 */
async function verifyForJob(
  deps: PipelineCallDeps,
  { principal, headers }: EndpointRequest,
  json: unknown,
  sent: SentFiles,
): Promise<PipelineReport> {
  const pipelines = deps.pipelines();
  const report = await pipelines.verify(json, principal, isStrict(headers), true, sent);
  const entries = report.steps.map(({ entry }) => entry);
  const lacking = entries.some((entry) => deps.availability().of(entry).reason === 'DEPENDENCY');
  return lacking && !(await deps.takenElsewhere(entries))
    ? pipelines.verify(json, principal, isStrict(headers), false, sent)
    : report;
}

async function answer(
  deps: PipelineCallDeps,
  facts: JobFacts,
  result: PipelineResult,
  accept: string | undefined,
  scratch: Scratch,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const { files } = result;
  const headers = factHeaders(facts, files.length);
  if (files.length === 0) {
    await scratch.dispose();
    return { status: 204, headers };
  }
  const [first] = files;
  const file =
    files.length === 1 && first !== undefined ? first : await deps.pipelines().zip(files, scratch.filePath(), signal);
  // Existing clients expect octet-stream for every file type (`docs/interface/pipeline.yml`).
  const mediaType = files.length === 1 ? 'application/octet-stream' : answerMediaType('zip', accept);
  return { file: { name: file.name, mediaType, path: file.path, release: () => scratch.dispose() }, headers };
}
