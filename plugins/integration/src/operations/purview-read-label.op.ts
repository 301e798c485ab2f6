import { defineOperation, integerField, shown, tokens } from '@quire/registry';
import type { PurviewConfig } from '../functions/connection-types.js';
import { labelReport } from '../functions/sensitivity-labels.js';
import { connections } from '../services/connections.js';
import { tellLabels } from '../tasks/document-tasks.js';

interface PurviewReadLabelParams {
  connectionId: number;
}

/** Reports the labels of sensitivity of a PDF (`docs/interface/integration.yml`, purview-read-label). */
export const purviewReadLabel = defineOperation<PurviewReadLabelParams>({
  path: 'integration/purview-read-label',
  name: 'readPurviewLabel',
  since: '0.2.0',
  summary: 'Report the Purview sensitivity labels of a PDF',
  title: 'Read Purview labels',
  icon: 'tags',
  order: 30,
  keywords: ['sensitivity', 'microsoft', 'classification', 'mip'],
  notes:
    'The file is answered as it came. `X-Tool-Report` holds `labelled`, and of a label of the tenant of the ' +
    'connection `labelId`, `labelName`, `method`, `setDate`, `contentBits` and `protected`; ' +
    '`otherTenantLabels` lists those of others.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', unchanged: true },
  params: (joi) =>
    joi.object<PurviewReadLabelParams, true>({
      connectionId: shown(integerField(joi, 'Number of a PURVIEW connection').min(1).required().example(1), {
        label: 'Connection',
      }),
    }),
  needs: { services: [connections, tokens.workerTasks] },
  runsIn: 'host',
  errors: ['CONNECTION_UNUSABLE', 'PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a label of the tenant',
      files: ['labelled.pdf'],
      params: { connectionId: 1 },
      expect: { pages: [1], names: ['labelled.pdf'] },
    },
    {
      title: 'a connection that is not there',
      files: ['labelled.pdf'],
      params: { connectionId: 4711 },
      expect: { refused: 'CONNECTION_UNUSABLE' },
    },
  ],
  run: async (file, { connectionId }, ctx) => {
    const { callerOf } = await import('../services/caller.js');
    const { config } = await ctx.use(connections).use<PurviewConfig>(callerOf(ctx), connectionId, 'PURVIEW');
    ctx.report(
      labelReport(
        await ctx.use(tokens.workerTasks).run(tellLabels, { path: file.path() }, ctx.signal),
        config.tenantId,
      ),
    );
    return [ctx.keep(file)];
  },
});
