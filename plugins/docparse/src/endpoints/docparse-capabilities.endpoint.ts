import { defineEndpoint, tokens } from '@quire/registry';

/** Reports what document parsing can do on this server (`docs/interface/docparse.yml`). */
export const docparseCapabilities = defineEndpoint({
  id: 'getDocparseCapabilities',
  method: 'GET',
  path: 'docparse/capabilities',
  since: '0.1.0',
  summary: 'Get document parsing capabilities',
  notes:
    'Neither parsing nor indexing needs a language model. `refresh` is accepted for existing clients and has ' +
    'no effect.',
  tag: 'docparse',
  request: {
    query: (joi) =>
      joi.object({ refresh: joi.boolean().default(false).description('Ask again instead of answering from memory') }),
  },
  returns: {
    description: 'Available features',
    json: (joi) =>
      joi.object({
        enabled: joi.boolean().required().description('Document parsing is enabled (docparse.enabled)'),
        mode: joi.string().valid('basic').required().description('How layout is read; basic needs no model'),
        advancedInstalled: joi.boolean().required().description('A layout model is installed'),
        indexing: joi
          .boolean()
          .required()
          .description('Texts can be indexed and searched here (docparse/ingest, docparse/search)'),
        embeddings: joi
          .boolean()
          .required()
          .description('Search also finds texts with the same meaning (aiEngine.rag.embeddingModel)'),
        aiEnabled: joi.boolean().required().description('A language model is enabled (aiEngine.enabled)'),
      }),
  },
  errors: [],
  handle: async (_request, ctx) => {
    const settings = ctx.use(tokens.settings);
    const enabled = settings.get<boolean>('docparse.enabled');
    return {
      json: {
        enabled,
        mode: 'basic',
        advancedInstalled: false,
        indexing: enabled,
        embeddings: ctx.use(tokens.textEmbeddings).model !== undefined,
        aiEnabled: settings.get<boolean>('aiEngine.enabled'),
      },
    };
  },
});
