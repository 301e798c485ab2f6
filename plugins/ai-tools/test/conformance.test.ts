import { describePlugin } from '@quire/plugin-kit';
import { type ModelServer, saysOf, startModelServer } from '../../../test/fixtures/model-server.js';
import plugin from '../src/index.js';

/** What the model answers in the examples, by the name of the answer that is asked for. */
const answers: Readonly<Record<string, object>> = {};

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
