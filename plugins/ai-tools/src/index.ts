import { definePlugin, tokens } from '@quire/registry';
import { aiHealth } from './endpoints/ai-health.endpoint.js';
import { HttpModelService, modelService } from './services/model-service.js';

/** Tools that use a language model. */
export default definePlugin({
  endpoints: [aiHealth],
  services: [{ token: modelService, create: (ctx) => new HttpModelService(ctx.use(tokens.settings)) }],
});
