import { defineEndpoint, type IndexQuery, tokens } from '@quire/registry';
import { requireParsing } from '../operations/reading.js';

/** Most passages of an answer. */
const MOST = 100;

export const searchDocuments = defineEndpoint({
  id: 'searchDocuments',
  method: 'POST',
  path: 'docparse/search',
  since: '0.2.0',
  summary: 'Search ingested documents',
  notes:
    'Searches the chunks that docparse/ingest stored for this caller and ranks them by the words of the query ' +
    '(BM25), ignoring case and accents; headings count as words of the text below them. If an embedding model ' +
    'is set up (`aiEngine.rag.embeddingModel`), passages with the same meaning are found too. No other model ' +
    'is used. While login is off there is one index for everybody. The default of `topK` is the setting ' +
    'aiEngine.rag.topK.',
  tag: 'docparse',
  request: {
    payload: (joi) =>
      joi.object({
        query: joi.string().trim().min(1).max(2000).required().description('Words to look for').example('crane costs'),
        topK: joi.number().integer().min(1).max(MOST).description('Maximum number of passages').example(5),
        documentId: joi
          .string()
          .trim()
          .min(1)
          .max(200)
          .description('Searches this document only')
          .example('report-2026'),
      }),
  },
  returns: {
    description: 'The best passages, best first; empty if no word was found',
    json: (joi) =>
      joi.object({
        query: joi.string().required(),
        hits: joi
          .array()
          .required()
          .items(
            joi.object({
              documentId: joi.string().required(),
              documentName: joi.string().required().description('File name of the document'),
              index: joi.number().integer().required().description('Position of the chunk in its document, from 0'),
              text: joi.string().required().description('Markdown'),
              pageStart: joi.number().integer().required(),
              pageEnd: joi.number().integer().required(),
              headingPath: joi.array().items(joi.string().allow('')).required(),
              score: joi.number().required().description('Higher is better; comparable within this answer only'),
            }),
          ),
      }),
  },
  errors: ['INPUT_INVALID', 'SERVICE_NOT_SET_UP', 'STORE_DOWN'],
  handle: async ({ payload, principal, signal }, ctx) => {
    requireParsing(ctx);
    const { query, documentId, topK } = payload as unknown as Omit<IndexQuery, 'topK'> & { readonly topK?: number };
    const usual = ctx.use(tokens.settings).get<number>('aiEngine.rag.topK');
    const hits = await ctx.use(tokens.documentIndex).search(
      {
        query,
        topK: topK ?? Math.min(MOST, usual > 0 ? usual : MOST),
        ...(documentId === undefined ? {} : { documentId }),
      },
      { id: principal.id, name: principal.name },
      signal,
    );
    return { json: { query, hits } };
  },
});
