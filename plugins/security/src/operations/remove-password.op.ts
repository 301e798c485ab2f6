import { defineOperation } from '@quire/registry';

interface RemovePasswordParams {
  password: string;
}

/** Longer than any password that a reader looks at whole; some writers let longer ones be typed, and cut them. */
const MOST = 4096;

/** Writes a PDF without encryption (`docs/interface/security.yml`, remove-password). */
export const removePassword = defineOperation<RemovePasswordParams>({
  path: 'security/remove-password',
  since: '0.2.0',
  summary: 'Remove encryption from a PDF',
  notes:
    'Takes the password of the user or of the owner, as it is, blanks included; an empty one opens what needs ' +
    'none. All restrictions go with the encryption. A document that is not encrypted is written anew. ' +
    'Encryption for the holders of certificates, without a password, cannot be removed here.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_password_removed', pages: 'same' },
  writes: 'rewrite',
  passwords: { input: 'password' },
  params: (joi) =>
    joi.object<RemovePasswordParams, true>({
      password: joi
        .string()
        .allow('')
        .max(MOST)
        .default('')
        .description('Password of the user or of the owner; empty tries without')
        .example('open sesame'),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'the password of the user',
      files: ['locked.pdf'],
      params: { password: 'user' },
      expect: { pages: [1], names: ['locked_password_removed.pdf'] },
    },
    {
      title: 'the password of the owner',
      files: ['locked.pdf'],
      params: { password: 'owner' },
      expect: { pages: [1] },
    },
    {
      title: 'restrictions on a document that anybody opens',
      files: ['restricted.pdf'],
      params: {},
      expect: { pages: [1] },
    },
    { title: 'a document without encryption', files: ['rotated-and-cropped.pdf'], params: {}, expect: { pages: [3] } },
    {
      title: 'refuses a wrong password',
      files: ['locked.pdf'],
      params: { password: 'wrong' },
      expect: { refused: 'PDF_ENCRYPTED' },
    },
    { title: 'refuses a missing password', files: ['locked.pdf'], params: {}, expect: { refused: 'PDF_ENCRYPTED' } },
  ],
  run: async (file, { password }, ctx) => {
    const { editFile } = await import('@quire/document/file/open');
    const target = `${await ctx.folder()}/unlocked.pdf`;
    await editFile(
      file.path(),
      target,
      { mode: 'rewrite', protection: 'none', ...(password === '' ? {} : { password }) },
      () => undefined,
    );
    return [await ctx.adopt(file, target)];
  },
});
