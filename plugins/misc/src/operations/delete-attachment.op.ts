import { defineOperation, shown, tokens } from '@quire/registry';

interface DeleteAttachmentParams {
  attachmentName: string;
}

/** Removes a file from the document's EmbeddedFiles (`docs/interface/misc.yml`, delete-attachment). */
export const deleteAttachment = defineOperation<DeleteAttachmentParams>({
  path: 'misc/delete-attachment',
  since: '0.2.0',
  summary: 'Delete an attachment from a PDF',
  title: 'Delete an attachment',
  icon: 'trash',
  order: 190,
  screen: 'document/attachments',
  keywords: ['remove attachment', 'embedded file', 'detach'],
  notes:
    'Deletes the first attachment with that name: its bytes, its entry among the associated files, and the ' +
    'annotations that show it.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_attachment_deleted', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<DeleteAttachmentParams, true>({
      attachmentName: shown(
        joi
          .string()
          .max(1000)
          .pattern(/\S/, 'a name that is not blank')
          .required()
          .description('Exact name, as list-attachments returns it')
          .example('note.txt'),
        { label: 'Name of the attachment', help: 'Exactly as in the list of attachments.' },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'ATTACHMENT_UNKNOWN'],
  examples: [
    {
      title: 'one of two attachments',
      files: ['attached.pdf'],
      params: { attachmentName: 'data.json' },
      expect: { pages: [1], names: ['attached_attachment_deleted.pdf'] },
    },
    {
      title: 'no such attachment',
      files: ['attached.pdf'],
      params: { attachmentName: 'Data.json' },
      expect: { refused: 'ATTACHMENT_UNKNOWN' },
    },
  ],
  run: async (file, { attachmentName }, ctx) => {
    const [{ editFile }, { deleteFrom }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/attachment-list.js'),
    ]);
    const target = `${await ctx.folder()}/deleted.pdf`;
    await editFile(
      file.path(),
      target,
      { mode: 'rewrite', modified: ctx.use(tokens.clock).now() },
      ({ document, pages }) => deleteFrom(document.context, pages, attachmentName),
    );
    return [await ctx.adopt(file, target)];
  },
});
