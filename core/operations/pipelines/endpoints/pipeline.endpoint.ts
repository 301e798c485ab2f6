import { commonCodes, defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import { callbackFields, HOLDS } from '../../../openapi/index.js';
import { asFaults, invalidReport, withRest } from '../index.js';
import { isStrict, runAnswers, runCall, stepCodes, type PipelineCallDeps } from './pipeline-call.js';
import { definitionSchema } from './definition-schema.js';
import { presetPipelines } from './preset-pipelines.js';

/** Runs on every server, because it needs no external program. */
const sampleDefinition = JSON.stringify({
  pipeline: [
    { operation: '/api/v1/filter/filter-page-count', parameters: { pageCount: 1, comparator: 'Greater' } },
    { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
    { operation: '/api/v1/security/add-watermark', parameters: { watermarkType: 'text', watermarkText: 'DRAFT' } },
  ],
});

const branchingDefinition = JSON.stringify({
  pipeline: [
    {
      if: { fact: 'pages', above: 1 },
      then: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 180 } }],
      else: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 }, onError: 'skip' }],
    },
    { operation: '/api/v1/general/merge-pdfs', parameters: {}, name: 'all' },
  ],
});

const definitionField = (joi: JoiRoot) =>
  joi
    .string()
    .required()
    .description('Pipeline definition as JSON text: {"pipeline": [{"operation": "/api/v1/…", "parameters": {}}]}')
    .meta({ [HOLDS]: definitionSchema })
    .example('{"pipeline": [{"operation": "/api/v1/general/rotate-pdf", "parameters": {"angle": 90}}]}');

/** The pipeline endpoints (spec 4.2, `docs/interface/pipeline.yml`). */
export function pipelineEndpoints(deps: PipelineCallDeps): Endpoint[] {
  return [
    defineEndpoint({
      id: 'runPipeline',
      method: 'POST',
      path: 'pipeline/handleData',
      since: '1.0.0',
      summary: 'Run a pipeline',
      notes:
        'The whole pipeline is checked before the first file is read. Steps may branch (`if`, `parallel`, `each`) ' +
        'and say what a failure does (`onError`). A single output file is returned as it is, several as ' +
        'output.zip; if every file was filtered out, the answer is 204 with `X-Pipeline-Report`, and 415 if no ' +
        'step accepts the type of any file. ' +
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
        also: runAnswers,
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
        {
          title: 'turned one way or the other, and merged',
          payload: { json: branchingDefinition },
          files: { fileInput: ['two-pages.pdf'] },
        },
      ],
      handle: (request) => runCall(deps, request, { json: request.payload['json'], path: 'pipeline/handleData' }),
    }),
    defineEndpoint({
      id: 'validatePipeline',
      method: 'POST',
      path: 'pipeline/validate',
      since: '1.0.0',
      summary: 'Check a pipeline without running it',
      notes:
        'Returns 200 if the pipeline can run, else 400 with one entry per fault. Fields that a step does not ' +
        'know are always listed in `ignored`, values that another one replaces in `replaced`.',
      request: { payloadType: 'multipart', payload: (joi) => joi.object({ json: definitionField(joi) }) },
      examples: [
        { title: 'rotated and stamped if it has enough pages', payload: { json: sampleDefinition } },
        { title: 'turned one way or the other, and merged', payload: { json: branchingDefinition } },
      ],
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
                    .object({
                      operation: joi.string().required(),
                      parameters: joi.object().required(),
                      pointer: joi.string().description('Of a step or a filter inside of another step'),
                    })
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
        const report = await deps.pipelines().report(payload['json'], principal);
        const { steps, ignored, replaced, faults, unlisted } = report;
        // A field that a step ignores is not a fault, but next to faults it is often their cause.
        if (faults.length > 0 || (isStrict(headers) && ignored.length + replaced.length > 0))
          throw invalidReport(report, true);
        return {
          json: {
            valid: true,
            steps: steps.map(({ path, params, at, depth, within }) => ({
              operation: path,
              parameters: params,
              ...(depth > 0 && within.length === 0 ? { pointer: at } : {}),
            })),
            errors: [],
            ignored: withRest(ignored, unlisted.ignored),
            replaced: asFaults(replaced),
          },
        };
      },
    }),
    defineEndpoint({
      id: 'listPresetPipelines',
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
