import { defineOperation, tokens } from '@quire/registry';

type ExtractAttachmentsParams = Record<string, never>;

/** Returns the files in the document's EmbeddedFiles (`docs/interface/misc.yml`, extract-attachments). */
export const extractAttachments = defineOperation<ExtractAttachmentsParams>({
  path: 'misc/extract-attachments',
  since: '0.2.0',
  summary: 'Extract the attachments of a PDF',
  title: 'Extract attachments',
  icon: 'folder-output',
  order: 170,
  keywords: ['embedded files', 'download attachments', 'save attachments', 'unpack', 'zip'],
  notes:
    'Each file keeps its own name without folders. Names that clash get a number (`name_1.ext`); a file ' +
    "without a name becomes `unknown_attachment_<milliseconds>`. Entries of the zip carry the attachment's " +
    'modification date, or else its creation date. Files over 50 MB, files beyond 200 MB in total, and files ' +
    'that cannot be unpacked are skipped; `X-Tool-Report` holds `extracted`, `skipped` and `skippedNames`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'any', name: '{base}', many: { archive: '{base}_attachments' }, pages: 'any' },
  params: (joi) => joi.object<ExtractAttachmentsParams, true>({}),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'ATTACHMENTS_NONE'],
  examples: [
    { title: 'two files', files: ['attached.pdf'], params: {}, expect: { names: ['note.txt', 'data.json'] } },
    {
      title: 'a document without attachments',
      files: ['picture.pdf'],
      params: {},
      expect: { refused: 'ATTACHMENTS_NONE' },
    },
  ],
  run: async (file, _params, ctx) => {
    const { extractAttachmentFiles } = await import('../functions/extract-attachment-files.js');
    const { files, skipped } = await extractAttachmentFiles(file.path(), await ctx.folder(), {
      now: ctx.use(tokens.clock).now(),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    ctx.report({
      extracted: files.length,
      skipped: skipped.length,
      ...(skipped.length === 0 ? {} : { skippedNames: skipped.slice(0, 20).join(', ') }),
    });
    return Promise.all(
      files.map(({ path, name, modified }) =>
        ctx.adopt(file, path, { file: name, ...(modified === undefined ? {} : { modified }) }),
      ),
    );
  },
});
