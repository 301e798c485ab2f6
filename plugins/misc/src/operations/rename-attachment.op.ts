import { defineOperation, type JoiRoot, tokens } from '@quire/registry';

interface RenameAttachmentParams {
  attachmentName: string;
  newName: string;
}

/** Gives one file of a PDF's own list another name (`docs/interface/misc.yml`, rename-attachment). */
export const renameAttachment = defineOperation<RenameAttachmentParams>({
  path: 'misc/rename-attachment',
  since: '0.2.0',
  summary: 'Rename an attachment of a PDF',
  notes:
    'The first file of that name is renamed, under all its names in the document. A new name that another file ' +
    'has is refused: taking it would lose that file.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_attachment_renamed', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<RenameAttachmentParams, true>({
      attachmentName: nameField(joi, 'Exact present name, as list-attachments gives it').required().example('note.txt'),
      newName: nameField(joi, 'New name, with its extension')
        .pattern(/^[^\p{Cc}\u2028\u2029]+$/u, 'a name without control characters')
        .required()
        .example('minutes.txt'),
    }),
  needs: { services: [tokens.clock] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'ATTACHMENT_UNKNOWN',
    'ATTACHMENT_NAME_TAKEN',
  ],
  examples: [
    {
      title: 'a new name',
      files: ['attached.pdf'],
      params: { attachmentName: 'note.txt', newName: 'Notiz – neu.txt' },
      expect: { pages: [1], names: ['attached_attachment_renamed.pdf'] },
    },
    {
      title: 'no such attachment',
      files: ['attached.pdf'],
      params: { attachmentName: 'other.txt', newName: 'x.txt' },
      expect: { refused: 'ATTACHMENT_UNKNOWN' },
    },
    {
      title: 'a name in use',
      files: ['attached.pdf'],
      params: { attachmentName: 'note.txt', newName: 'data.json' },
      expect: { refused: 'ATTACHMENT_NAME_TAKEN' },
    },
  ],
  run: async (file, { attachmentName, newName }, ctx) => {
    const [{ editFile }, { renameIn }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/attachment-list.js'),
    ]);
    const target = `${await ctx.folder()}/renamed.pdf`;
    await editFile(
      file.path(),
      target,
      { mode: ctx.writing, repair: false, modified: ctx.use(tokens.clock).now() },
      ({ document }) => renameIn(document.context, attachmentName, newName),
    );
    return [await ctx.adopt(file, target)];
  },
});

/** Blanks alone are no name; blanks around one belong to it. */
function nameField(joi: JoiRoot, description: string) {
  return joi.string().max(1000).pattern(/\S/, 'a name that is not blank').description(description);
}
