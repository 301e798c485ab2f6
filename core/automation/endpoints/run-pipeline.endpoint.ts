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
    errors: [
      'NOT_FOUND',
      'PIPELINE_INVALID',
      ...commonCodes,
      'ADDRESS_REFUSED',
      'KEY_INVALID',
      'ACCOUNT_LINK_REQUIRED',
      'QUEUE_FULL',
      'PDF_DAMAGED',
      'PDF_ENCRYPTED',
      'STORE_DOWN',
      ...stepCodes,
    ],
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
