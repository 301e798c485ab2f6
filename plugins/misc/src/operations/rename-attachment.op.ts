import { defineOperation, type JoiRoot, shown, tokens } from '@quire/registry';

interface RenameAttachmentParams {
  attachmentName: string;
  newName: string;
}

/** Renames a file in the document's EmbeddedFiles (`docs/interface/misc.yml`, rename-attachment). */
export const renameAttachment = defineOperation<RenameAttachmentParams>({
  path: 'misc/rename-attachment',
  since: '0.2.0',
  summary: 'Rename an attachment of a PDF',
  title: 'Rename an attachment',
  icon: 'pen-line',
  order: 180,
  screen: 'document/attachments',
  keywords: ['embedded file', 'file name', 'change name'],
  notes:
    'The first attachment with that name is renamed everywhere in the document. A new name that another ' +
    'attachment already has is refused, because that attachment would be lost.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_attachment_renamed', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<RenameAttachmentParams, true>({
      attachmentName: shown(
        nameField(joi, 'Exact current name, as list-attachments returns it').required().example('note.txt'),
        { label: 'Name of the attachment', help: 'Exactly as in the list of attachments.' },
      ),
      newName: shown(
        nameField(joi, 'New name, with its extension')
          .pattern(/^[^\p{Cc}\u2028\u2029]+$/u, 'a name without control characters')
          .required()
          .example('minutes.txt'),
        { help: 'With its extension.' },
      ),
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
      title: 'a name that is already used',
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
      { mode: ctx.writing, repair: false, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      ({ document }) => renameIn(document.context, attachmentName, newName),
    );
    return [await ctx.adopt(file, target)];
  },
});

/** A name of blanks alone is refused; blanks around a name are part of it. */
function nameField(joi: JoiRoot, description: string) {
  return joi.string().max(1000).pattern(/\S/, 'a name that is not blank').description(description);
}
