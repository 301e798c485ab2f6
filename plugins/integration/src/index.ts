import { definePlugin, tokens, type SavedConnections } from '@quire/registry';
import { createIntegration } from './endpoints/create-integration.endpoint.js';
import { changeIntegration, deleteIntegration, readIntegration } from './endpoints/integration.endpoint.js';
import { integrationsCapabilities } from './endpoints/integrations-capabilities.endpoint.js';
import { listIntegrations } from './endpoints/list-integrations.endpoint.js';
import { externalApiCall } from './operations/external-api-call.op.js';
import { purviewApplyLabel } from './operations/purview-apply-label.op.js';
import { purviewReadLabel } from './operations/purview-read-label.op.js';
import { ApiCalls, apiCalls } from './services/api-calls.js';
import { Connections, connections } from './services/connections.js';
import { apiReach, authorPolicy } from './services/settings.js';
import { tasks } from './tasks/document-tasks.js';

/** Saved connections to other services, and tools that use them. */
export default definePlugin({
  categories: [{ id: 'integration', title: 'Connections', icon: 'plug', order: 100 }],
  operations: [externalApiCall, purviewApplyLabel, purviewReadLabel],
  tasks,
  endpoints: [
    listIntegrations,
    createIntegration,
    integrationsCapabilities,
    readIntegration,
    changeIntegration,
    deleteIntegration,
  ],
  offers: [
    {
      token: tokens.savedConnections,
      create: (ctx): SavedConnections => ({
        open: (caller, id, type) => ctx.use(connections).use(caller, id, type),
        exists: (id) => ctx.use(connections).exists(id),
      }),
    },
  ],
  services: [
    {
      token: connections,
      create: (ctx) => {
        const settings = ctx.use(tokens.settings);
        return new Connections({
          store: ctx.use(tokens.pluginStore),
          vault: ctx.use(tokens.vault),
          clock: ctx.use(tokens.clock),
          outbound: ctx.use(tokens.outbound),
          policy: authorPolicy(settings),
          reach: apiReach(settings),
          teams: ctx.use(tokens.teams),
          grants: ctx.use(tokens.accessGrants),
          savedPipelines: ctx.use(tokens.savedPipelines),
          uses: ctx.use(tokens.connectionUses),
          trials: ctx.use(tokens.connectionTrials),
        });
      },
    },
    {
      token: apiCalls,
      create: (ctx) =>
        new ApiCalls({
          outbound: ctx.use(tokens.outbound),
          clock: ctx.use(tokens.clock),
          reach: apiReach(ctx.use(tokens.settings)),
        }),
    },
  ],
});
