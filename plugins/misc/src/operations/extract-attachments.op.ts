import { defineOperation, tokens } from '@quire/registry';

type ExtractAttachmentsParams = Record<string, never>;

/** Hands out the files in a PDF's own list (`docs/interface/misc.yml`, extract-attachments). */
export const extractAttachments = defineOperation<ExtractAttachmentsParams>({
  path: 'misc/extract-attachments',
  since: '0.2.0',
  summary: 'Extract the attachments of a PDF',
  notes:
    'Each file has its own name without folders; names that clash get a number (`name_1.ext`), a file without ' +
    "one is `unknown_attachment_<milliseconds>`. Entries of the zip have the attachment's date of change, or " +
    'of creation. Files over 50 MB, what goes beyond 200 MB together, and what cannot be unpacked are left ' +
    'out; `X-Tool-Report` holds `extracted` and `skipped`, and `skippedNames`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'any', name: '{base}', many: { archive: '{base}_attachments' }, pages: 'any' },
  params: (joi) => joi.object<ExtractAttachmentsParams, true>({}),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'ATTACHMENTS_NONE'],
  examples: [
    { title: 'two files', files: ['attached.pdf'], params: {}, expect: { names: ['note.txt', 'data.json'] } },
    { title: 'none', files: ['picture.pdf'], params: {}, expect: { refused: 'ATTACHMENTS_NONE' } },
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
