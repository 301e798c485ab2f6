import { defineOperation } from '@quire/registry';
import { chunkFields, chunkMessages, type ChunkParams, chunkShape, overlapFault } from './chunk-fields.js';
import {
  parsingSettings,
  readable,
  readingErrors,
  readingFields,
  type ReadingParams,
  readingServices,
} from './reading.js';

interface ChunkDocumentParams extends ReadingParams, ChunkParams {}

export const chunkDocument = defineOperation<ChunkDocumentParams>({
  path: 'docparse/chunk-document',
  since: '0.2.0',
  summary: 'Split a document into text chunks',
  title: 'Split text into chunks',
  icon: 'rows-3',
  order: 60,
  keywords: ['rag', 'embedding', 'llm', 'split text'],
  notes: [
    'Chunks are Markdown with at most `chunkSize` characters (UTF-16 code units), in reading order, without ' +
      'running headers and page numbers; images contribute their text and alternative text. Each chunk is within ' +
      'one section, starts with its headings, and has its pages and the headings above it.',
    'A chunk ends where a block ends, otherwise at the end of a sentence, item or row, otherwise between ' +
      'words; a word is split only if it is longer than a chunk. It repeats up to `overlap` characters of the ' +
      'previous chunk in its section, from the start of a sentence or word; at most three quarters of a chunk.',
    'Together the chunks contain all the text, and the same document always gives the same chunks. Scanned ' +
      'pages need `withOcr`; a document without text gives no chunk. No language model is used.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.object({
        documentName: joi.string().required(),
        mode: joi.string().required(),
        chunkSize: joi.number().integer().required(),
        overlap: joi.number().integer().required(),
        pages: joi.number().integer().required(),
        chunks: joi.array().items(chunkShape(joi)).required(),
      }),
  },
  params: (joi) =>
    joi
      .object<ChunkDocumentParams, true>({ ...readingFields(joi), ...chunkFields(joi) })
      .custom((value: ChunkDocumentParams, helpers) => {
        const fault = overlapFault(value, helpers.original);
        return fault === undefined
          ? value
          : helpers.error(fault.code, {}, helpers.state.localize?.([...(helpers.state.path ?? []), fault.field]));
      })
      .messages(chunkMessages),
  needs: { services: readingServices, settings: parsingSettings },
  limits: { timeoutMs: 600_000 },
  errors: readingErrors,
  examples: [
    {
      title: 'a report',
      files: ['report.pdf'],
      params: { chunkSize: 400, overlap: 40 },
      expect: { json: { chunkSize: 400, overlap: 40, pages: 4 } },
    },
    {
      title: 'a size out of range',
      files: ['report.pdf'],
      params: { chunkSize: 1_000_000 },
      expect: { json: { chunkSize: 32_768 } },
    },
    {
      title: 'refuses an overlap as large as the chunks',
      files: ['report.pdf'],
      params: { chunkSize: 100, overlap: 100 },
      expect: { refused: 'INPUT_INVALID' },
    },
    { title: 'refuses a broken file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { chunkSize, overlap, ...reading }, ctx) => {
    const { path, facts } = await readable(file, reading, ctx);
    const [{ noLimits, readText }, { chunkText }] = await Promise.all([
      import('../functions/read-text.js'),
      import('../functions/chunk-text.js'),
    ]);
    const half = reading.withOcr ? 1 : 0;
    const { passages, language, pages } = await readText({ path }, noLimits, {
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done + half * total, (1 + half) * total),
    });
    const chunks = [...chunkText(passages, { chunkSize, overlap, language })];
    ctx.report({ ...facts, pages, chunks: chunks.length });
    return ctx.json({ documentName: file.name, mode: facts.mode, chunkSize, overlap, pages, chunks });
  },
});
