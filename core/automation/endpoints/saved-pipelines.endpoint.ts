import { defineEndpoint, type Endpoint, type EndpointRequest, type JoiRoot } from '@quire/registry';
import type { LoginServices } from '../../accounts/index.js';
import { readShares } from '../shares.js';
import type { SavedPipelines, SentPipeline } from '../saved-pipelines.js';
import {
  nameField,
  pipelineSchema,
  pipelineWire,
  sentSchema,
  versionSchema,
  versionWire,
  type SentBody,
} from './pipeline-wire.js';

export interface SavedPipelineEndpointDeps {
  readonly saved: SavedPipelines;
  readonly login: LoginServices | undefined;
  readonly rootPath: string;
}

const shared = { since: '1.13.0', tag: 'pipelines' } as const;
const codes = ['KEY_INVALID', 'STORE_DOWN'] as const;
const bodyCodes = [...codes, 'INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'PIPELINE_INVALID'] as const;
const ownCodes = ['NOT_FOUND', 'PIPELINE_READ_ONLY'] as const;
const example = {
  name: 'turn-and-title',
  title: 'Turn pages and set the title',
  definition: {
    pipeline: [
      { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
      { operation: '/api/v1/misc/update-metadata', parameters: { title: '{{input.customer}}, {{file.base}}' } },
    ],
  },
  inputs: [
    { name: 'angle', field: '/pipeline/0/parameters/angle', label: 'Turn by' },
    { name: 'customer', label: 'Customer', required: true },
  ],
};

const named = (joi: JoiRoot) => joi.object({ name: nameField(joi).required() });
const numbered = (joi: JoiRoot) =>
  named(joi).keys({ version: joi.number().integer().min(1).required().description('Number of the version') });

/** Endpoints of saved pipelines. */
export function savedPipelineEndpoints(deps: SavedPipelineEndpointDeps): Endpoint[] {
  return [...readEndpoints(deps), ...writeEndpoints(deps), ...versionEndpoints(deps)];
}

function readEndpoints({ saved }: SavedPipelineEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'listPipelines',
      method: 'GET',
      path: 'pipelines',
      summary: 'List the saved pipelines that you may run',
      notes: 'By name. One that cannot run now says why in `errors`.',
      returns: {
        description: 'The pipelines',
        json: (joi) => joi.array().items(pipelineSchema(joi)).label('SavedPipelines'),
      },
      errors: [...codes],
      handle: async ({ principal }) => ({ json: (await saved.list(principal)).map(pipelineWire) }),
    }),
    defineEndpoint({
      ...shared,
      id: 'getPipeline',
      method: 'GET',
      path: 'pipelines/{name}',
      summary: 'Get a saved pipeline',
      notes: '`definition`, `inputs` and `sharedWith` are for those who may edit it.',
      request: {
        params: named,
        query: (joi) =>
          joi.object({ version: joi.number().integer().min(1).description('By default the current one') }),
      },
      returns: { description: 'The pipeline', json: pipelineSchema },
      errors: [...codes, 'INPUT_INVALID', 'NOT_FOUND'],
      handle: async ({ principal, params, query }) => ({
        json: pipelineWire(await saved.get(principal, params['name'] ?? '', query['version'] as number | undefined)),
      }),
    }),
  ];
}

function writeEndpoints(deps: SavedPipelineEndpointDeps): Endpoint[] {
  const { saved, rootPath } = deps;
  return [
    defineEndpoint({
      ...shared,
      id: 'createPipeline',
      access: { right: 'automations' },
      method: 'POST',
      path: 'pipelines',
      summary: 'Save a pipeline under a name',
      notes:
        'It is checked whole, with the defaults of its inputs, and then runs at `/api/v1/tools/<name>`. Texts of ' +
        'parameters may contain `{{input.<name>}}`, `{{date}}`, `{{time}}` (UTC), `{{file.name}}`, `{{file.base}}` ' +
        'and `{{file.extension}}`. Parameters are stored encrypted.',
      request: { payload: (joi) => sentSchema(joi).example(example) },
      returns: {
        description: 'The pipeline',
        status: 201,
        json: pipelineSchema,
        links: ['getPipeline', 'changePipeline', 'listPipelineVersions', 'deletePipeline'].map((to) => ({
          to,
          parameters: { name: '$response.body#/name' },
        })),
      },
      errors: [...bodyCodes, 'PIPELINE_CONFLICT'],
      handle: async (request) => {
        const created = await saved.create(request.principal, await sentOf(deps, request));
        const location = `${rootPath}/api/v1/pipelines/${created.record.name}`;
        return { status: 201, json: pipelineWire(created), headers: { location } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'changePipeline',
      access: { right: 'automations' },
      method: 'PUT',
      path: 'pipelines/{name}',
      summary: 'Save the next version of a pipeline',
      notes: 'Everything is replaced; with another `name` it moves. With `basedOn`, a change of somebody else is 409.',
      request: {
        params: named,
        query: (joi) =>
          joi.object({ basedOn: joi.number().integer().min(1).description('The version that was changed') }),
        payload: (joi) => sentSchema(joi).example(example),
      },
      returns: { description: 'The pipeline', json: pipelineSchema },
      errors: [...bodyCodes, ...ownCodes, 'PIPELINE_CONFLICT'],
      handle: async (request) => {
        const { principal, params, query } = request;
        const sent = await sentOf(deps, request);
        const basedOn = query['basedOn'] as number | undefined;
        return { json: pipelineWire(await saved.change(principal, params['name'] ?? '', sent, basedOn)) };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'deletePipeline',
      method: 'DELETE',
      path: 'pipelines/{name}',
      summary: 'Delete a saved pipeline and its versions',
      notes: 'Runs that have begun go on.',
      request: { params: named },
      returns: { description: 'Deleted', status: 204 },
      errors: [...codes, ...ownCodes],
      handle: async ({ principal, params }) => {
        await saved.remove(principal, params['name'] ?? '');
        return { status: 204 };
      },
    }),
  ];
}

function versionEndpoints({ saved }: SavedPipelineEndpointDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'listPipelineVersions',
      method: 'GET',
      path: 'pipelines/{name}/versions',
      summary: 'List the versions of a saved pipeline',
      notes: 'The newest first. `pipelines/{name}?version=n` has the steps of one.',
      request: { params: named },
      returns: {
        description: 'The versions',
        json: (joi) => joi.array().items(versionSchema(joi)).label('PipelineVersions'),
      },
      errors: [...codes, ...ownCodes],
      handle: async ({ principal, params }) => ({
        json: (await saved.versions(principal, params['name'] ?? '')).map(versionWire),
      }),
    }),
    defineEndpoint({
      ...shared,
      id: 'restorePipelineVersion',
      access: { right: 'automations' },
      method: 'POST',
      path: 'pipelines/{name}/versions/{version}/restore',
      summary: 'Make an earlier version of a pipeline the current one',
      notes: 'Its content becomes the next version, so nothing is lost.',
      request: { params: numbered },
      returns: { description: 'The pipeline', json: pipelineSchema },
      errors: [...codes, 'INPUT_INVALID', ...ownCodes, 'PIPELINE_CONFLICT'],
      handle: async ({ principal, params }) => ({
        json: pipelineWire(await saved.restore(principal, params['name'] ?? '', Number(params['version']))),
      }),
    }),
  ];
}

async function sentOf({ login }: SavedPipelineEndpointDeps, { payload }: EndpointRequest): Promise<SentPipeline> {
  const { name, title, description, definition, inputs, sharedWith } = payload as unknown as SentBody;
  return { name, title, description, definition, inputs, sharedWith: await readShares(login, sharedWith) };
}
