import { definePlugin, tokens } from '@quire/registry';
import { docparseCapabilities } from './endpoints/docparse-capabilities.endpoint.js';
import { forgetDocument } from './endpoints/forget-document.endpoint.js';
import { searchDocuments } from './endpoints/search-documents.endpoint.js';
import { chunkDocument } from './operations/chunk-document.op.js';
import { extractFields } from './operations/extract-fields.op.js';
import { extractFieldsJson } from './operations/extract-fields-json.op.js';
import { extractTables } from './operations/extract-tables.op.js';
import { fillTemplate } from './operations/fill-template.op.js';
import { ingest } from './operations/ingest.op.js';
import { parseDocument } from './operations/parse-document.op.js';
import { ragIngest } from './operations/rag-ingest.op.js';
import { smartSplit } from './operations/smart-split.op.js';
import { suggestSchema } from './operations/suggest-schema.op.js';
import { ownIndex } from './services/own-index.js';
import { StoredIndex } from './services/stored-index.js';

/** Document parsing. */
export default definePlugin({
  categories: [{ id: 'docparse', title: 'Data from documents', icon: 'table-properties', order: 70 }],
  operations: [
    chunkDocument,
    extractFields,
    extractFieldsJson,
    extractTables,
    fillTemplate,
    ingest,
    parseDocument,
    ragIngest,
    smartSplit,
    suggestSchema,
  ],
  endpoints: [docparseCapabilities, forgetDocument, searchDocuments],
  services: [
    {
      token: ownIndex,
      create: (ctx) =>
        new StoredIndex({
          store: ctx.use(tokens.pluginStore),
          clock: ctx.use(tokens.clock),
          log: ctx.log,
          embeddings: ctx.use(tokens.textEmbeddings),
        }),
    },
  ],
  offers: [{ token: tokens.documentIndex, create: (ctx) => ctx.use(ownIndex) }],
  start: async (ctx) => ctx.use(tokens.userNames).onFreed((name, now) => ctx.use(ownIndex).nameFreed(name, now)),
});
