import { defineEndpoint } from '@quire/registry';
import { connections } from '../services/connections.js';
import { connectionAnswer } from './connection-fields.js';

/** Lists connections (`docs/interface/integration.yml`). */
export const listIntegrations = defineEndpoint({
  id: 'listIntegrations',
  method: 'GET',
  path: 'integrations',
  since: '0.2.0',
  summary: 'List the connections that the caller may use',
  notes:
    'Administrators see all; others their own, those of their team, and those that `defaultAccess` opens to ' +
    'them. While login is off, everybody is an administrator.',
  tag: 'integration',
  returns: { description: 'In order of making', json: (joi) => joi.array().items(connectionAnswer(joi)) },
  errors: ['SERVICE_NOT_SET_UP'],
  handle: async ({ principal }, ctx) => ({ json: await ctx.use(connections).list(principal) }),
});
