import { commonCodes, defineEndpoint, InputError, type Endpoint } from '@quire/registry';
import { callbackFields } from '../../openapi/index.js';
import { TOOL } from '../../operations/pipelines/index.js';
import {
  isStrict,
  runAnswers,
  runCall,
  stepCodes,
  type PipelineCallDeps,
} from '../../operations/pipelines/endpoints/index.js';
import type { SavedPipelines } from '../saved-pipelines.js';
import { runTrial, type TrialDeps } from '../trial.js';
import { nameField } from './pipeline-wire.js';

/** What a run of stored steps on the files of a call may be refused with. */
export const trialCodes = [
  'NOT_FOUND',
  'PIPELINE_INVALID',
  ...commonCodes,
  'KEY_INVALID',
  'ACCOUNT_LINK_REQUIRED',
  'QUEUE_FULL',
  'PDF_DAMAGED',
  'PDF_ENCRYPTED',
  'STORE_DOWN',
  ...stepCodes,
] as const;

/** The endpoint that runs saved pipelines as tools. */
export function runSavedEndpoint(deps: PipelineCallDeps, saved: SavedPipelines): Endpoint {
  return defineEndpoint({
    id: 'runSavedPipeline',
    method: 'POST',
    path: 'tools/{tool}',
    since: '1.13.0',
    tag: 'pipelines',
    summary: 'Run a saved pipeline',
    notes:
      'Its inputs are fields of the form; fields that it does not have are named in `X-Ignored-Fields`. Answers and ' +
      'call-backs are those of `pipeline/handleData`; `Prefer: respond-async` starts a job.',
    request: {
      payloadType: 'multipart',
      params: (joi) =>
        joi.object({
          tool: joi
            .string()
            .pattern(TOOL, 'a name, or a name, @ and a version')
            .required()
            .description('Name of the pipeline: `stamp-invoices`; `stamp-invoices@3` for its third version'),
        }),
      query: (joi) => joi.object({ async: joi.boolean().default(false).meta({ swaggerHidden: true }) }),
      payload: (joi) =>
        joi.object({ async: joi.string().allow('').meta({ swaggerHidden: true }), ...callbackFields(joi) }).unknown(),
      files: [
        { field: 'fileInput', description: 'The files to process', kinds: ['any'], many: true, requiredWhen: 'always' },
      ],
      fileIdFor: 'fileInput',
    },
    returns: {
      description: 'The output file, or output.zip',
      mediaType: 'application/octet-stream',
      also: runAnswers,
    },
    errors: [...trialCodes, 'ADDRESS_REFUSED'],
    handle: async (request) => {
      const { async: _, callbackUrl: __, callbackSecret: ___, fileId: ____, ...sent } = request.payload;
      const [, name = '', version] = TOOL.exec(request.params['tool'] ?? '') ?? [];
      const number = version === undefined ? undefined : Number(version);
      const { json, ignored } = await saved.runnable(request.principal, name, number, sent);
      if (ignored.length > 0 && isStrict(request.headers))
        throw new InputError('INPUT_INVALID', { detail: `${name} has no field ${ignored.join(', ')}` });
      return runCall(deps, request, { json, path: `tools/${name}`, ignored });
    },
  });
}

/** The endpoint that tries a saved pipeline while it is edited. */
export function trySavedEndpoint(deps: TrialDeps, saved: SavedPipelines): Endpoint {
  return defineEndpoint({
    id: 'tryPipeline',
    method: 'POST',
    path: 'pipelines/{name}/try',
    since: '1.13.0',
    tag: 'pipelines',
    summary: 'Try steps of a saved pipeline on a sample',
    notes:
      'For those who may edit it. Runs the definition that is sent, or one step of it; a secret that is sent as ' +
      '******** stands for the stored one, as when it is saved. Nothing is saved, and no answer contains the secret.',
    request: {
      payloadType: 'multipart',
      params: (joi) => joi.object({ name: nameField(joi).required() }),
      payload: (joi) =>
        joi.object({
          json: joi
            .string()
            .required()
            .description('The definition as it is edited, as `pipeline/handleData` takes it'),
          step: joi
            .string()
            .pattern(/^(\/[a-z0-9]+)+$/, 'a JSON pointer')
            .max(500)
            .description('Runs only the step at this pointer')
            .example('/pipeline/1'),
        }),
      files: [{ field: 'fileInput', description: 'The sample', kinds: ['any'], many: true, requiredWhen: 'always' }],
    },
    returns: {
      description: 'The output file, or output.zip',
      mediaType: 'application/octet-stream',
      also: { 204: runAnswers[204] },
    },
    errors: [...trialCodes, 'PIPELINE_READ_ONLY'],
    handle: async (request) => {
      const { params, payload, principal } = request;
      const name = params['name'] ?? '';
      const step = payload['step'] as string | undefined;
      const json = await saved.trial(principal, name, String(payload['json']), step);
      return runTrial(deps, request, { json, path: `pipelines/${name}/try` });
    },
  });
}
