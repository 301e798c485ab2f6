import { defineEndpoint, InputError, tokens } from '@quire/registry';
import { requireParsing } from './parsing-on.js';

/** Takes a document out of the caller's index. */
export const forgetDocument = defineEndpoint({
  id: 'forgetDocument',
  method: 'DELETE',
  path: 'docparse/documents/{documentId}',
  since: '0.2.0',
  summary: 'Take a document out of the index',
  notes:
    'Deletes all chunks that docparse/ingest kept for this caller under the id. One of somebody else is as one ' +
    'that is not there.',
  tag: 'docparse',
  request: {
    params: (joi) =>
      joi.object({
        documentId: joi
          .string()
          .min(1)
          .max(200)
          .required()
          .description('As docparse/ingest was told, or told in X-Tool-Report')
          .example('report-2026'),
      }),
  },
  examples: [{ title: 'the report that the example of docparse/ingest keeps', parameters: { documentId: 'report' } }],
  returns: { description: 'It is gone', status: 204 },
  errors: ['NOT_FOUND', 'SERVICE_NOT_SET_UP', 'STORE_DOWN'],
  handle: async ({ params, principal }, ctx) => {
    requireParsing(ctx);
    if (
      !(await ctx
        .use(tokens.documentIndex)
        .remove(params['documentId'] ?? '', { id: principal.id, name: principal.name }))
    )
      throw new InputError('NOT_FOUND');
    return { status: 204 };
  },
});
