import { defineOperation } from '@quire/registry';
import { ingestDocument, ingestErrors, ingestFields, type IngestParams, ingestServices } from './ingest-run.js';
import { parsingSettings } from './reading.js';

export const ingest = defineOperation<IngestParams>({
  path: 'docparse/ingest',
  name: 'ingestDocument',
  since: '0.2.0',
  summary: 'Chunk, index and export the text of a PDF',
  title: 'Index a document',
  icon: 'database',
  order: 90,
  keywords: ['rag', 'index', 'search'],
  notes: [
    'The answer is a zip with the document under its own name (`includeOriginal`), `<base>.md` ' +
      '(`exportMarkdown`) and `<base>.chunks.jsonl` (`exportChunksJsonl`: one chunk a line, `{documentId, index, ' +
      'text, pageStart, pageEnd, headingPath}`). `X-Tool-Report` contains `documentId`, `chunksIndexed`, ' +
      '`pages`, `sourcePages`, `truncated` and `indexed`. In pipelines and jobs these are single files.',
    'Chunks are made as by docparse/chunk-document. `index` keeps them in the index of the caller on this ' +
      'server, in place of what was there under the same `documentId`; POST docparse/search finds them again. It ' +
      'needs no language model; where an embedding model is set up, it is sent the chunks, so that they are ' +
      'found by what they mean as well. While login is off there is one index for everybody.',
    'The settings `aiEngine.limits.maxPages` and `maxCharacters` cut long documents at a page; then ' +
      '`truncated` is true. A document without text is refused with 422: send `withOcr`, or recognise it first.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'any', name: '{base}', many: { archive: '{base}-ingested', single: 'zip' } },
  effects: ['needsNetwork'],
  params: ingestFields,
  needs: { services: ingestServices, settings: parsingSettings },
  limits: { timeoutMs: 600_000 },
  errors: ingestErrors,
  examples: [
    {
      title: 'a report with its text',
      files: ['report.pdf'],
      params: { documentId: 'report', exportMarkdown: true, exportChunksJsonl: true },
      expect: { names: ['report.pdf', 'report.md', 'report.chunks.jsonl'] },
    },
    {
      title: 'Markdown alone',
      files: ['report.pdf'],
      params: { includeOriginal: false, index: false, exportMarkdown: true },
      expect: { names: ['report.md'] },
    },
    { title: 'refuses a document without text', files: ['scan.pdf'], params: {}, expect: { refused: 'TEXT_MISSING' } },
    {
      title: 'refuses to do nothing',
      files: ['report.pdf'],
      params: { includeOriginal: false },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: ingestDocument,
});
