import { defineEndpoint, tokens } from '@quire/registry';

/**
 * Tells whether the caller may make connections of their own: administrators, while the settings allow it (`contract/integration.yml`).
 */
export const integrationsCapabilities = defineEndpoint({
  id: 'integrationsCapabilities',
  method: 'GET',
  path: 'integrations/capabilities',
  since: '0.1.0',
  summary: 'Tell whether the caller may make API connections',
  notes: 'Only administrators may, and only while `policies.allowCustomApiIntegrations` is on.',
  tag: 'integration',
  returns: {
    description: 'What the caller may do',
    json: (joi) => joi.object({ customApi: joi.boolean().required().description('The caller may make API connections') }),
  },
  errors: [],
  handle: async ({ principal }, ctx) => {
    const allowed = ctx.use(tokens.settings).get<boolean>('policies.allowCustomApiIntegrations');
    return { json: { customApi: allowed && principal.role === 'admin' } };
  },
});
