import { defineEndpoint } from '@quire/registry';
import { connections, type ConnectionChange } from '../services/connections.js';
import { bodyCodes, connectionAnswer, idParams, MAX_BODY_BYTES, sentMembers } from './connection-fields.js';

const shared = { path: 'integrations/{id}', since: '0.2.0', tag: 'integration' } as const;
const returns = { description: 'The connection', json: connectionAnswer };
const placeCodes = ['INPUT_INVALID', 'CONNECTION_UNKNOWN', 'CONNECTION_REFUSED'] as const;

/** Answers one connection (`docs/interface/integration.yml`). */
export const readIntegration = defineEndpoint({
  ...shared,
  id: 'getIntegration',
  method: 'GET',
  summary: 'Read a connection',
  returns,
  request: { params: idParams },
  errors: [...placeCodes, 'SERVICE_NOT_SET_UP'],
  handle: async ({ params, principal }, ctx) => ({
    json: await ctx.use(connections).read(principal, Number(params['id'])),
  }),
});

/** Changes a connection (`docs/interface/integration.yml`). */
export const changeIntegration = defineEndpoint({
  ...shared,
  id: 'changeIntegration',
  method: 'PUT',
  summary: 'Change a connection',
  returns,
  notes:
    'Members that are missing stay as they are, but `config` is replaced as a whole: a secret in it that is ' +
    'masked or blank keeps what is stored, other keys that are left out are removed. When scheme, host or port of ' +
    'an address change, stored secrets are not kept: send them again. A locked connection is changed by ' +
    'administrators alone. One of type S3 is tried when its settings change and when it is enabled.',
  request: { params: idParams, maxBytes: MAX_BODY_BYTES, payload: (joi) => sentMembers(joi, false) },
  errors: [...bodyCodes, 'CONNECTION_UNKNOWN', 'IDEMPOTENCY_CONFLICT'],
  handle: async ({ params, payload, principal, signal }, ctx) => ({
    json: await ctx.use(connections).change(principal, Number(params['id']), payload as ConnectionChange, signal),
  }),
});

/** Deletes a connection (`docs/interface/integration.yml`). */
export const deleteIntegration = defineEndpoint({
  ...shared,
  id: 'deleteIntegration',
  method: 'DELETE',
  summary: 'Delete a connection',
  returns: { description: 'Deleted', status: 204 },
  notes:
    'Refused while a saved pipeline, an automation, a source or the pipeline of a watched folder names it (409). ' +
    'Other pipelines that name it fail from then on; no other connection ever gets its number.',
  request: { params: idParams },
  errors: [...placeCodes, 'CONNECTION_IN_USE'],
  handle: async ({ params, principal }, ctx) => {
    await ctx.use(connections).remove(principal, Number(params['id']));
    return {};
  },
});
