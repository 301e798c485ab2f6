import { describePlugin } from '@quire/plugin-kit';
import plugin from '../src/index.js';

describePlugin(plugin, {
  packageRoot: new URL('..', import.meta.url),
  // The examples name connection 1.
  prepare: async (url) => {
    const body = JSON.stringify({
      integrationType: 'PURVIEW',
      name: 'labels',
      config: { tenantId: '77777777-7777-4777-8777-777777777777' },
    });
    const answer = await fetch(`${url}/api/v1/integrations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  },
});
