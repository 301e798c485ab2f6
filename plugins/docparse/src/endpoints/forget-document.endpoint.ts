import { defineEndpoint, InputError, tokens } from '@quire/registry';
import { requireParsing } from '../operations/reading.js';

export const forgetDocument = defineEndpoint({
  id: 'forgetDocument',
  method: 'DELETE',
  path: 'docparse/documents/{documentId}',
  since: '0.2.0',
  summary: 'Remove a document from the index',
  notes:
    "Deletes all chunks that docparse/ingest stored for this caller under the id. Another user's document is " +
    'treated as missing.',
  tag: 'docparse',
  request: {
    params: (joi) =>
      joi.object({
        documentId: joi
          .string()
          .min(1)
          .max(200)
          .required()
          .description('The id sent to docparse/ingest, or returned in X-Tool-Report')
          .example('report-2026'),
      }),
  },
  examples: [{ title: 'the report that the example of docparse/ingest keeps', parameters: { documentId: 'report' } }],
  returns: { description: 'The document was removed', status: 204 },
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
