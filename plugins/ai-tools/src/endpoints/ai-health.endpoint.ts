import { defineEndpoint } from '@quire/registry';
import { modelService } from '../services/model-service.js';

/** Passes the model service's health on, or says that it is not set up (`docs/interface/ai.yml`). */
export const aiHealth = defineEndpoint({
  id: 'getAiHealth',
  method: 'GET',
  path: 'ai/health',
  since: '0.1.0',
  summary: 'Tell whether the language model answers',
  notes:
    'Set `aiEngine.enabled`, and `aiEngine.models.baseUrl` for an OpenAI-compatible address or `aiEngine.url` ' +
    'for a separate engine.',
  tag: 'ai',
  returns: {
    description: 'Status of the service; its model names for an OpenAI-compatible address',
    json: (joi) =>
      joi
        .object({ status: joi.string().example('UP'), models: joi.array().items(joi.string()) })
        .unknown(true)
        .label('ModelHealth'),
  },
  errors: ['SERVICE_NOT_SET_UP', 'REMOTE_TIMEOUT'],
  handle: async ({ principal, signal }, ctx) => ({ json: await ctx.use(modelService).health(principal.id, signal) }),
});
