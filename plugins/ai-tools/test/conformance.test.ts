import { describePlugin } from '@quire/plugin-kit';
import { saysOf, startModelServer, type ModelServer } from '../../../test/fixtures/model-server.js';
import plugin from '../src/index.js';

/** The model's answers, by the name of the requested answer. */
const answers: Readonly<Record<string, object>> = {
  pdf_comments: {
    comments: [{ page: 1, quote: '1,250.00 EUR', comment: 'An amount' }],
    rationale: 'Amounts were looked for.',
  },
  document_class: { id: 'letter', confidence: 0.9 },
  claims: { claims: [] },
};

describe('examples with a model', () => {
  let model: ModelServer | undefined;
  after(() => model?.stop());
  describePlugin(plugin, {
    packageRoot: new URL('..', import.meta.url),
    settings: async () => {
      model = await startModelServer();
      model.script(saysOf(({ response_format: format }) => answers[format?.json_schema?.name ?? ''] ?? {}));
      return model.settings;
    },
  });
});
