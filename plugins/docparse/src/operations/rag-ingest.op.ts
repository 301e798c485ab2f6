import { defineOperation } from '@quire/registry';
import { ingestDocument, ingestErrors, ingestFields, type IngestParams, ingestServices } from './ingest-run.js';
import { parsingSettings } from './reading.js';

/** The older address of docparse/ingest (`docs/interface/docparse.yml`, ingest, notes). */
export const ragIngest = defineOperation<IngestParams>({
  path: 'docparse/rag-ingest',
  name: 'ingestDocumentForRag',
  since: '0.2.0',
  summary: 'Index a PDF, by the older address of ingest',
  title: 'Index a document (old address)',
  icon: 'database',
  order: 100,
  keywords: ['rag', 'index', 'search'],
  notes:
    'The same as docparse/ingest, but a single file is answered as it is and not in a zip: without exports, ' +
    'the document itself, unchanged.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'any', name: '{base}', many: { archive: '{base}-ingested', single: 'file' } },
  effects: ['needsNetwork'],
  params: ingestFields,
  needs: { services: ingestServices, settings: parsingSettings },
  limits: { timeoutMs: 600_000 },
  errors: ingestErrors,
  examples: [
    {
      title: 'without exports the document itself',
      files: ['report.pdf'],
      params: { documentId: 'report' },
      expect: { names: ['report.pdf'] },
    },
    { title: 'refuses a document without text', files: ['scan.pdf'], params: {}, expect: { refused: 'TEXT_MISSING' } },
  ],
  run: ingestDocument,
});
