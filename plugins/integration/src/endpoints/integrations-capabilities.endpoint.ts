import { defineEndpoint, tokens } from '@quire/registry';
import { isAdmin } from '../services/connection-access.js';
import { authorPolicy } from '../services/settings.js';

/**
 * Reports whether the caller may create API connections (`docs/interface/integration.yml`): administrators, if the
 * settings allow it; while login is off, every caller.
 */
export const integrationsCapabilities = defineEndpoint({
  id: 'getIntegrationCapabilities',
  method: 'GET',
  path: 'integrations/capabilities',
  since: '0.1.0',
  summary: 'Tell whether the caller may make API connections',
  notes:
    'Only administrators may (everybody, while login is off), and only while ' +
    '`policies.allowCustomApiIntegrations` is on and the server is self-hosted.',
  tag: 'integration',
  returns: {
    description: "The caller's permissions",
    json: (joi) =>
      joi.object({ customApi: joi.boolean().required().description('The caller may make API connections') }),
  },
  errors: [],
  handle: async ({ principal }, ctx) => ({
    json: { customApi: authorPolicy(ctx.use(tokens.settings)).customApi && isAdmin(principal) },
  }),
});
