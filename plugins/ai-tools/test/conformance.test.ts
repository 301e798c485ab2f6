import { describePlugin } from '@quire/plugin-kit';
import { says, startModelServer, type ModelServer } from '../../../test/fixtures/model-server.js';
import plugin from '../src/index.js';

describe('examples with a model', () => {
  let model: ModelServer | undefined;
  after(() => model?.stop());
  describePlugin(plugin, {
    packageRoot: new URL('..', import.meta.url),
    settings: async () => {
      model = await startModelServer();
      model.script(says({}));
      return model.settings;
    },
  });
});
