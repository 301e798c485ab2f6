import { definePlugin, tokens } from '@quire/registry';
import { createIntegration } from './endpoints/create-integration.endpoint.js';
import { changeIntegration, deleteIntegration, readIntegration } from './endpoints/integration.endpoint.js';
import { integrationsCapabilities } from './endpoints/integrations-capabilities.endpoint.js';
import { listIntegrations } from './endpoints/list-integrations.endpoint.js';
import { Connections, connections } from './services/connections.js';
import { apiReach, authorPolicy } from './services/settings.js';

/** Saved connections to other services, and tools that use them. */
export default definePlugin({
  endpoints: [listIntegrations, createIntegration, integrationsCapabilities, readIntegration, changeIntegration, deleteIntegration],
  services: [{
    token: connections,
    create: (ctx) => {
      const settings = ctx.use(tokens.settings);
      return new Connections({ store: ctx.use(tokens.pluginStore), vault: ctx.use(tokens.vault), clock: ctx.use(tokens.clock), outbound: ctx.use(tokens.outbound), policy: authorPolicy(settings), reach: apiReach(settings) });
    },
  }],
});
