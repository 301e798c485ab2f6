import { randomUUID } from 'node:crypto';
import { defineOperation, integerField, shown, tokens } from '@quire/registry';
import type { PurviewConfig } from '../functions/connection-types.js';
import { connections } from '../services/connections.js';
import { putLabel } from '../tasks/document-tasks.js';

interface PurviewApplyLabelParams {
  connectionId: number;
  labelId: string;
  labelName?: string;
  method: 'STANDARD' | 'PRIVILEGED';
  contentBits: number;
}

/** Writes a label of sensitivity into a PDF (`docs/interface/integration.yml`, purview-apply-label). */
export const purviewApplyLabel = defineOperation<PurviewApplyLabelParams>({
  path: 'integration/purview-apply-label',
  name: 'applyPurviewLabel',
  since: '0.2.0',
  summary: 'Write a Purview sensitivity label into a PDF',
  title: 'Apply a Purview label',
  icon: 'tag',
  order: 20,
  keywords: ['sensitivity', 'microsoft', 'classification', 'mip'],
  notes:
    'Writes the properties `MSIP_Label_<labelId>_…` into the information dictionary, with the tenant of the ' +
    'connection. Another label of the same tenant is replaced, those of other tenants stay. Nothing is asked ' +
    'of Microsoft, and nothing is encrypted.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<PurviewApplyLabelParams, true>({
      connectionId: shown(integerField(joi, 'Number of a PURVIEW connection').min(1).required().example(1), {
        label: 'Connection',
      }),
      labelId: shown(
        joi
          .string()
          .trim()
          .pattern(/^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/, 'a GUID')
          .required()
          .description('GUID of the label')
          .example('defa4170-0d19-0005-0004-bc88714345d2'),
        { label: 'Label ID' },
      ),
      labelName: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(256)
          .pattern(/^[^\p{Cc}]*$/u, 'one line of text')
          .description('Name of the label')
          .example('Confidential'),
        { label: 'Label name' },
      ),
      method: shown(
        joi
          .string()
          .insensitive()
          .uppercase()
          .empty('')
          .valid('STANDARD', 'PRIVILEGED')
          .default('STANDARD')
          .description('STANDARD: by default or automatically; PRIVILEGED: chosen by a person'),
        { help: '', options: { STANDARD: 'By default or automatically', PRIVILEGED: 'Chosen by a person' } },
      ),
      contentBits: shown(
        integerField(joi, 'Content marking, as a sum: 1 header, 2 footer, 4 watermark, 8 encryption')
          .min(0)
          .max(15)
          .default(0),
        { label: 'Content marking', help: 'A sum: 1 header, 2 footer, 4 watermark, 8 encryption.' },
      ),
    }),
  needs: { services: [connections, tokens.workerTasks, tokens.clock] },
  runsIn: 'host',
  errors: ['CONNECTION_UNUSABLE', 'PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'another label of the tenant',
      files: ['labelled.pdf'],
      params: { connectionId: 1, labelId: 'defa4170-0d19-0005-0004-bc88714345d2', labelName: 'Confidential' },
      expect: { pages: [1], names: ['labelled.pdf'] },
    },
    {
      title: 'a connection that is not there',
      files: ['labelled.pdf'],
      params: { connectionId: 4711, labelId: 'defa4170-0d19-0005-0004-bc88714345d2' },
      expect: { refused: 'CONNECTION_UNUSABLE' },
    },
    {
      title: 'a label that is not a GUID',
      files: ['labelled.pdf'],
      params: { connectionId: 1, labelId: 'Confidential' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { connectionId, labelId, ...label }, ctx) => {
    const { callerOf } = await import('../services/caller.js');
    const { config } = await ctx.use(connections).use<PurviewConfig>(callerOf(ctx), connectionId, 'PURVIEW');
    const target = `${await ctx.folder()}/labelled.pdf`;
    const now = ctx.use(tokens.clock).now();
    await ctx.use(tokens.workerTasks).run(
      putLabel,
      {
        path: file.path(),
        target,
        mode: ctx.writing,
        label: {
          ...label,
          labelId: labelId.toLowerCase(),
          siteId: config.tenantId,
          setDate: now.getTime(),
          actionId: randomUUID(),
        },
      },
      ctx.signal,
    );
    return [await ctx.adopt(file, target)];
  },
});
