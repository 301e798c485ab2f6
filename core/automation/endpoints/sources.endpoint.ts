import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import type { Source } from '../sources/source-records.js';
import { teamNumber } from '../team-records.js';
import type { SentSource, SourceRow, Sources } from '../sources/sources.js';
import { idField, nameSchema } from './automation-wire.js';
import { codes, shared } from './automations.endpoint.js';
import { listOf } from './list-of.js';

const sourceParams = (joi: JoiRoot) =>
  joi.object({ sourceId: idField(joi).required().description('Id of the source') });
const idOf = (params: Readonly<Record<string, string>>): string => params['sourceId'] ?? '';
const errors = [...codes, 'NOT_FOUND', 'INPUT_INVALID'] as const;

const sourceKeys = (joi: JoiRoot) => ({
  name: nameSchema(joi).required().example('Scans'),
  type: joi.string().max(50).required().description('Kind of source'),
  enabled: joi.boolean().default(true).description('Nothing is taken from a source that is switched off'),
  options: joi
    .object()
    .unknown()
    .default({})
    .description('Depend on the type. A secret that is sent as ******** keeps its value'),
});

const sourceSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      ...sourceKeys(joi),
      owner: joi.string().allow(null).required(),
      teamId: joi.number().integer().allow(null).required(),
    })
    .label('Source');

const overviewSchema = (joi: JoiRoot) =>
  joi
    .object({
      kpis: joi
        .array()
        .required()
        .description('All sources, those that automations use, and the others')
        .items(
          joi
            .object({ value: joi.number().integer().required(), description: joi.string().required() })
            .label('SourceFigure'),
        ),
      sources: joi.array().required().items(rowSchema(joi)),
    })
    .label('Sources');

const rowSchema = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.string().required(),
      name: joi.string().required(),
      type: joi.string().required(),
      status: joi.string().valid('active', 'unused', 'disabled').required(),
      referenceCount: joi.number().integer().required(),
      referencingPolicies: listOf(joi, 'SourceUser', { id: joi.string(), name: joi.string() }),
      config: listOf(joi, 'SourceOption', { label: joi.string(), value: joi.string().allow('') }),
      docsTotal: joi.number().integer().required(),
      docs24h: joi.number().integer().required(),
      docs30d: joi.number().integer().required(),
      webhookPath: joi.string().allow(null).required(),
    })
    .label('SourceRow');

/** Endpoints of sources (`docs/interface/automation.yml`, sources). */
export function sourceEndpoints(sources: Sources, rootPath: string): Endpoint[] {
  return [...readEndpoints(sources, rootPath), ...writeEndpoints(sources)];
}

function readEndpoints(sources: Sources, rootPath: string): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'listSources',
      method: 'GET',
      path: 'sources',
      summary: 'List the sources of your team',
      notes: 'The most used first, with the number of files that they gave.',
      returns: { description: 'Figures, and a row for each source', json: overviewSchema },
      errors: [...codes],
      handle: async ({ principal }) => {
        const rows = await sources.list(principal);
        const used = rows.filter(({ usedBy }) => usedBy.length > 0).length;
        const kpis = [
          { value: rows.length, description: 'Sources' },
          { value: used, description: 'Used by an automation' },
          { value: rows.length - used, description: 'Not used' },
        ];
        return { json: { kpis, sources: rows.map((row) => rowWire(row, rootPath)) } };
      },
    }),
    defineEndpoint({
      ...shared,
      id: 'getSource',
      method: 'GET',
      path: 'sources/{sourceId}',
      summary: 'Get a source',
      request: { params: sourceParams },
      returns: { description: 'The source, its secrets as ********', json: sourceSchema },
      errors: [...errors],
      handle: async ({ principal, params }) => ({ json: sourceWire(await sources.get(principal, idOf(params))) }),
    }),
    defineEndpoint({
      ...shared,
      id: 'countSourceDocuments',
      method: 'GET',
      path: 'sources/{sourceId}/document-counts',
      summary: 'Count the files of a source by day',
      notes: 'Of the last 30 days (UTC), the oldest first.',
      request: { params: sourceParams },
      returns: {
        description: 'Thirty numbers',
        json: (joi) => joi.array().items(joi.number().integer()).label('SourceCounts'),
      },
      errors: [...errors],
      handle: async ({ principal, params }) => ({ json: await sources.daily(principal, idOf(params)) }),
    }),
  ];
}

function writeEndpoints(sources: Sources): Endpoint[] {
  return [
    defineEndpoint({
      ...shared,
      id: 'saveSource',
      access: { right: 'automations' },
      method: 'POST',
      path: 'sources',
      summary: 'Create or change a source of files',
      notes:
        'With the id of a source, that one is replaced. It is saved only if it can be read now. What the server ' +
        'makes itself, such as the address and the secret of a webhook, is shown by this answer once.',
      request: {
        payload: (joi) =>
          joi.object({ id: idField(joi).allow('').description('Made by the server if missing'), ...sourceKeys(joi) }),
      },
      returns: {
        description: 'The source',
        json: sourceSchema,
        links: ['getSource', 'countSourceDocuments', 'deleteSource'].map((to) => ({
          to,
          parameters: { sourceId: '$response.body#/id' },
        })),
      },
      errors: [...errors, 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'AUTOMATION_READ_ONLY', 'AUTOMATION_CONFLICT'],
      handle: async ({ principal, payload, signal }) => ({
        json: sourceWire(await sources.save(principal, payload as unknown as SentSource, signal)),
      }),
    }),
    defineEndpoint({
      ...shared,
      id: 'deleteSource',
      method: 'DELETE',
      path: 'sources/{sourceId}',
      summary: 'Delete a source that no automation uses',
      notes: 'Its files stay where they are.',
      request: { params: sourceParams },
      returns: { description: 'Deleted', status: 204 },
      errors: [...errors, 'AUTOMATION_READ_ONLY', 'AUTOMATION_CONFLICT'],
      handle: async ({ principal, params }) => {
        await sources.remove(principal, idOf(params));
        return { status: 204 };
      },
    }),
  ];
}

function sourceWire({ id, name, type, enabled, options, ownerName, teamId }: Source) {
  const present = Object.entries(options).filter(([, value]) => value !== null && value !== undefined);
  return {
    id,
    name,
    type,
    enabled,
    options: Object.fromEntries(present),
    owner: ownerName,
    teamId: teamNumber(teamId),
  };
}

function rowWire({ source, usedBy, docs24h, docs30d }: SourceRow, rootPath: string) {
  const { id, name, type, enabled, docsTotal } = source;
  const { options } = sourceWire(source);
  const webhookId = options['webhookId'];
  return {
    id,
    name,
    type,
    status: !enabled ? 'disabled' : usedBy.length > 0 ? 'active' : 'unused',
    referenceCount: usedBy.length,
    referencingPolicies: usedBy,
    config: Object.entries(options).map(([label, value]) => ({
      label: `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    docsTotal,
    docs24h,
    docs30d,
    webhookPath: typeof webhookId === 'string' ? `${rootPath}/api/v1/webhooks/${webhookId}` : null,
  };
}
