import {
  InputError,
  commonCodes,
  defineEndpoint,
  type DocumentFile,
  type Endpoint,
  type EndpointAnswer,
  type EndpointRequest,
  type JoiRoot,
  type Outbound,
} from '@quire/registry';
import { Scratch, type Runner } from '../../runner/index.js';
import { type WireFile } from '../../workers/index.js';
import { rateLimitFields, type Charge } from '../../../billing/index.js';
import {
  asFaults,
  invalidReport,
  pipelineFacts,
  withRest,
  type PipelineReport,
  type PipelineResult,
  type PipelineService,
} from '../index.js';
import { factHeaders, noticedHeaders } from '../../../http/response/index.js';
import { answerMediaType } from '../../../http/request/index.js';
import { callbackFields, HOLDS } from '../../../openapi/index.js';
import { callOptions } from '../../../http/request/index.js';
import { preferences } from '../../../http/request/index.js';
import type { JobFacts } from '../../../jobs/index.js';
import { startJob, type JobStartDeps } from '../../../http/jobs/index.js';
import { presetPipelines } from './preset-pipelines.js';
import type { AvailabilityTable } from '../../../access/index.js';
import type { CatalogOperation } from '@quire/catalog';

export interface PipelineEndpointDeps extends Omit<JobStartDeps, 'zip'> {
  availability(): AvailabilityTable;
  readonly outbound: Outbound;
  pipelines(): PipelineService;
  runner(): Runner;
  /** True when another node can run these operations and this node cannot. */
  takenElsewhere(entries: readonly CatalogOperation[]): Promise<boolean>;
}

/** Runs on every server, because it needs no external program. */
const sampleDefinition = JSON.stringify({
  pipeline: [
    { operation: '/api/v1/filter/filter-page-count', parameters: { pageCount: 1, comparator: 'Greater' } },
    { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
    { operation: '/api/v1/security/add-watermark', parameters: { watermarkType: 'text', watermarkText: 'DRAFT' } },
  ],
});

/** JSON Schema of the definition in the field `json`; the server accepts further members. */
const definitionSchema = {
  type: 'object',
  required: ['pipeline'],
  properties: {
    name: { type: 'string' },
    values: {
      type: 'object',
      additionalProperties: true,
      description:
        'With it, placeholders in texts of parameters are replaced: `{{input.<name>}}` by these values, `{{date}}`, ' +
        '`{{time}}` (UTC), `{{file.name}}`, `{{file.base}}`, `{{file.extension}}`',
    },
    pipeline: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['operation'],
        properties: {
          operation: { type: 'string', description: 'Path of the operation, for example /api/v1/general/rotate-pdf' },
          parameters: { type: 'object', additionalProperties: true, description: 'Form fields of the operation' },
        },
      },
    },
  },
};

const definitionField = (joi: JoiRoot) =>
  joi
    .string()
    .required()
    .description('Pipeline definition as JSON text: {"pipeline": [{"operation": "/api/v1/…", "parameters": {}}]}')
    .meta({ [HOLDS]: definitionSchema })
    .example('{"pipeline": [{"operation": "/api/v1/general/rotate-pdf", "parameters": {"angle": 90}}]}');

const jobStarted = (joi: JoiRoot) =>
  joi
    .object({
      async: joi.boolean().valid(true).required(),
      jobId: joi.string().required(),
      result: joi.valid(null).required(),
    })
    .label('PipelineStarted');

/**
 * Errors that a step may end with although pipeline and files are correct; the status of the step becomes the status of
 * the run.
 */
const stepCodes = [
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

const strict = (headers: EndpointRequest['headers']): boolean => preferences(headers['prefer']).strict;

/** The pipeline endpoints (spec 4.2, `docs/interface/pipeline.yml`). */
export function pipelineEndpoints(deps: PipelineEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      id: 'pipelineHandleData',
      method: 'POST',
      path: 'pipeline/handleData',
      since: '1.0.0',
      summary: 'Run a pipeline',
      notes:
        'The whole pipeline is checked before the first file is read. A single output file is returned as it ' +
        'is, several as output.zip; if every file was filtered out, the answer is 204 with `X-Pipeline-Report`. ' +
        '`Prefer: respond-async` starts a job. The query parameter or form field `async=true`, for existing clients, ' +
        'starts one too; it answers 200 with the body that is described under 202.',
      request: {
        payloadType: 'multipart',
        // For existing clients, and described in words only: generated clients would read the file as JSON.
        query: (joi) => joi.object({ async: joi.boolean().default(false).meta({ swaggerHidden: true }) }),
        payload: (joi) =>
          joi.object({
            json: definitionField(joi),
            async: joi.string().allow('').meta({ swaggerHidden: true }),
            ...callbackFields(joi),
          }),
        files: [
          {
            field: 'fileInput',
            description: 'The files to process',
            kinds: ['any'],
            many: true,
            requiredWhen: 'always',
          },
        ],
      },
      returns: {
        description: 'The output file, or output.zip',
        mediaType: 'application/octet-stream',
        also: {
          202: {
            description: 'The job was started and is still running (`Prefer: respond-async` or `wait=n`)',
            json: jobStarted,
          },
          204: { description: 'Every file was filtered out' },
        },
      },
      errors: [
        'PIPELINE_INVALID',
        ...commonCodes,
        'ADDRESS_REFUSED',
        'KEY_INVALID',
        'ACCOUNT_LINK_REQUIRED',
        'QUEUE_FULL',
        'PDF_DAMAGED',
        'PDF_ENCRYPTED',
        ...stepCodes,
      ],
      examples: [
        {
          title: 'rotated and stamped if it has enough pages',
          payload: { json: sampleDefinition },
          files: { fileInput: ['two-pages.pdf'] },
        },
      ],
      handle: (request) => handleData(deps, request),
    }),
    defineEndpoint({
      id: 'pipelineValidate',
      method: 'POST',
      path: 'pipeline/validate',
      since: '1.0.0',
      summary: 'Check a pipeline without running it',
      notes:
        'Returns 200 if the pipeline can run, else 400 with one entry per fault. Fields that a step does not ' +
        'know are always listed in `ignored`, values that another one replaces in `replaced`.',
      request: { payloadType: 'multipart', payload: (joi) => joi.object({ json: definitionField(joi) }) },
      examples: [{ title: 'rotated and stamped if it has enough pages', payload: { json: sampleDefinition } }],
      returns: {
        description: 'The pipeline can run',
        json: (joi) =>
          joi
            .object({
              valid: joi.boolean().required(),
              steps: joi
                .array()
                .items(
                  joi
                    .object({ operation: joi.string().required(), parameters: joi.object().required() })
                    .label('PipelineStepReport'),
                )
                .required(),
              errors: joi
                .array()
                .required()
                .items(joi.object({ pointer: joi.string(), detail: joi.string() }).label('FieldFault')),
              ignored: joi
                .array()
                .required()
                .items(joi.object({ pointer: joi.string(), detail: joi.string() }).label('FieldFault')),
              replaced: joi
                .array()
                .required()
                .items(joi.object({ pointer: joi.string(), detail: joi.string() }).label('FieldFault')),
            })
            .label('PipelineReport'),
      },
      errors: ['PIPELINE_INVALID', 'INPUT_INVALID', 'INPUT_MEDIA_TYPE', 'KEY_INVALID'],
      handle: async ({ payload, principal, headers }) => {
        const report = deps.pipelines().report(payload['json'], principal);
        const { steps, ignored, replaced, faults, unlisted } = report;
        // A field that a step ignores is not a fault, but next to faults it is often their cause.
        if (faults.length > 0 || (strict(headers) && ignored.length + replaced.length > 0))
          throw invalidReport(report, true);
        return {
          json: {
            valid: true,
            steps: steps.map(({ path, params }) => ({ operation: path, parameters: params })),
            errors: [],
            ignored: withRest(ignored, unlisted.ignored),
            replaced: asFaults(replaced),
          },
        };
      },
    }),
    defineEndpoint({
      id: 'uiDataPipeline',
      method: 'GET',
      path: 'ui-data/pipeline',
      since: '1.4.0',
      tag: 'ui-data',
      summary: 'List the saved pipelines of the web tool',
      notes:
        'Every .json file in `<pipeline>/defaultWebUIConfigs` (`system.customPaths.pipeline.webUIConfigsDir`) ' +
        'as raw text. If there is none, the list has a single entry with an empty text.',
      returns: {
        description: 'The saved pipelines',
        json: (joi) =>
          joi
            .object({
              pipelineConfigsWithNames: joi
                .array()
                .required()
                .items(
                  joi
                    .object({ json: joi.string().allow('').required(), name: joi.string().allow('').required() })
                    .label('PresetPipeline'),
                ),
              pipelineConfigs: joi.array().items(joi.string().allow('')).required(),
            })
            .label('PresetPipelines'),
      },
      errors: ['KEY_INVALID'],
      handle: async () => {
        const presets = await presetPipelines(deps.settings);
        return {
          json: {
            pipelineConfigsWithNames: presets.length > 0 ? presets : [{ json: '', name: 'No preloaded configs found' }],
            pipelineConfigs: presets.map(({ json }) => json),
          },
        };
      },
    }),
  ];
}

async function handleData(deps: PipelineEndpointDeps, request: EndpointRequest): Promise<EndpointAnswer> {
  const { payload, query, headers, principal, signal } = request;
  // Either may ask for a job; the query is already a boolean.
  const asked = query['async'] === true ? true : payload['async'];
  const call = callOptions(
    headers['prefer'],
    { ...payload, async: asked },
    { settings: deps.settings, outbound: deps.outbound, canBeJob: true },
  );
  const report = call.job
    ? await verifyForJob(deps, request)
    : deps.pipelines().verify(payload['json'], principal, strict(headers));
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
        path: 'pipeline/handleData',
        entries: report.steps.map(({ entry }) => entry),
        params: {},
        pipeline: payload['json'],
        files,
        parts: {},
        principal,
        call,
        requestHeaders: headers,
        headers: noticedHeaders({ ignored: [], replaced: call.replaced }),
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
      principal,
      folder: scratch.root,
      signal,
      strict: call.strict,
    });
    ({ charge } = result);
    const facts = pipelineFacts(report, result, call.replaced);
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
  deps: PipelineEndpointDeps,
  { payload, principal, headers }: EndpointRequest,
): Promise<PipelineReport> {
  const pipelines = deps.pipelines();
  const report = pipelines.verify(payload['json'], principal, strict(headers), true);
  const entries = report.steps.map(({ entry }) => entry);
  const lacking = entries.some((entry) => deps.availability().of(entry).reason === 'DEPENDENCY');
  return lacking && !(await deps.takenElsewhere(entries))
    ? pipelines.verify(payload['json'], principal, strict(headers))
    : report;
}

async function answer(
  deps: PipelineEndpointDeps,
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
