import {
  baseName,
  booleanField,
  type DocumentFile,
  InputError,
  type JoiRoot,
  type OutputFile,
  type RunContext,
  shown,
  tokens,
} from '@quire/registry';
import { chunkFields, chunkMessages, type ChunkParams, overlapFault } from './chunk-fields.js';
import { readable, readingErrors, readingFields, type ReadingParams, readingServices } from './reading.js';

export interface IngestParams extends ReadingParams, ChunkParams {
  documentId?: string;
  includeOriginal: boolean;
  index: boolean;
  exportMarkdown: boolean;
  exportChunksJsonl: boolean;
}

/** The fields of `IngestParams`, and what may not be asked together. */
export function ingestFields(joi: JoiRoot) {
  return joi
    .object<IngestParams, true>({
      ...readingFields(joi),
      ...chunkFields(joi),
      documentId: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(200)
          .pattern(/^[^\p{Cc}]*$/u, 'characters without control codes')
          .description(
            'Names the document in the index: what was indexed under it is replaced; by default the SHA-256 of the ' +
              'bytes',
          )
          .example('report-2026'),
        { label: 'Name in the index', help: 'Replaces the document with this name. Default: a digest of the file.' },
      ),
      includeOriginal: shown(booleanField(joi, 'Returns the document too', true), {
        label: 'Return the document',
        help: '',
      }),
      index: shown(booleanField(joi, 'Stores the chunks for search', true), { label: 'Store for search', help: '' }),
      exportMarkdown: shown(booleanField(joi, 'Returns the text as Markdown'), {
        label: 'Return the text as Markdown',
        help: '',
      }),
      exportChunksJsonl: shown(booleanField(joi, 'Returns the chunks as JSON Lines'), {
        label: 'Return the chunks as JSON Lines',
        help: '',
      }),
    })
    .custom((value: IngestParams, helpers) => {
      const fault = overlapFault(value, helpers.original) ?? ingestFault(value);
      return fault === undefined
        ? value
        : helpers.error(fault.code, {}, helpers.state.localize?.([...(helpers.state.path ?? []), fault.field]));
    })
    .messages({
      ...chunkMessages,
      'ingest.answer': '{#label} is false, and so are exportMarkdown and exportChunksJsonl: nothing would be answered',
      'ingest.work': '{#label} is false, and so are exportMarkdown and exportChunksJsonl: nothing would be done',
    });
}

/** Returns the reason if the options would produce nothing. */
function ingestFault({
  includeOriginal,
  index,
  exportMarkdown,
  exportChunksJsonl,
}: IngestParams): { readonly field: string; readonly code: string } | undefined {
  if (exportMarkdown || exportChunksJsonl) return undefined;
  if (!includeOriginal) return { field: 'includeOriginal', code: 'ingest.answer' };
  return index ? undefined : { field: 'index', code: 'ingest.work' };
}

/** Services that `ingestDocument` uses. */
export const ingestServices = [...readingServices, tokens.documentIndex] as const;

export const ingestErrors = [...readingErrors, 'TEXT_MISSING', 'INDEX_FULL'] as const;

/**
 * Reads a document, stores its chunks and returns the files of the answer, the document first. Throws TEXT_MISSING;
 * rejects with INDEX_FULL, STORE_DOWN, STORAGE_FULL and the codes of `readable`.
 */
export async function ingestDocument(
  file: DocumentFile,
  params: Readonly<IngestParams>,
  ctx: RunContext,
): Promise<OutputFile[]> {
  const { path, facts } = await readable(file, params, ctx);
  const [{ readText }, { chunkText }, { contentHash, writeChunks }] = await Promise.all([
    import('../functions/read-text.js'),
    import('../functions/chunk-text.js'),
    import('../functions/write-ingest.js'),
  ]);
  const settings = ctx.use(tokens.settings);
  const limits = {
    pages: settings.get<number | undefined>('aiEngine.limits.maxPages') ?? -1,
    characters: settings.get<number | undefined>('aiEngine.limits.maxCharacters') ?? -1,
  };
  const half = params.withOcr ? 1 : 0;
  const { markdown, passages, language, pages, sourcePages, truncated } = await readText({ path }, limits, {
    signal: ctx.signal,
    progress: (done, total) => ctx.progress(done + half * total, (1 + half) * total),
  });
  if (passages.length === 0) throw new InputError('TEXT_MISSING', { field: 'fileInput' });
  const documentId = params.documentId ?? (await contentHash(file.path()));
  const outputs: OutputFile[] = params.includeOriginal ? [ctx.keep(file)] : [];
  const base = baseName(file.name);
  if (params.exportMarkdown) outputs.push(await ctx.output(file, Buffer.from(markdown), { file: `${base}.md` }));
  let indexed = 0;
  if (params.index || params.exportChunksJsonl) {
    const target = `${await ctx.folder()}/chunks.jsonl`;
    await writeChunks(chunkText(passages, { ...params, language }), documentId, target);
    if (params.exportChunksJsonl) outputs.push(await ctx.adopt(file, target, { file: `${base}.chunks.jsonl` }));
    if (params.index)
      indexed = await ctx
        .use(tokens.documentIndex)
        .replace({ documentId, name: file.name }, target, undefined, ctx.signal);
  }
  ctx.report({ documentId, chunksIndexed: indexed, pages, sourcePages, truncated, indexed: params.index, ...facts });
  return outputs;
}
