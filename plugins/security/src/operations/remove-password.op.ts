import { defineOperation, shown } from '@quire/registry';

interface RemovePasswordParams {
  password: string;
}

/** Longer than any password that viewers use in full; some programs accept longer ones and truncate them. */
const MAX_PASSWORD_LENGTH = 4096;

/** Removes the encryption of a PDF (`docs/interface/security.yml`, remove-password). */
export const removePassword = defineOperation<RemovePasswordParams>({
  path: 'security/remove-password',
  since: '0.2.0',
  summary: 'Remove the password from a PDF',
  title: 'Remove the password',
  icon: 'lock-open',
  order: 20,
  keywords: ['unlock', 'decrypt', 'unprotect', 'unrestrict', 'remove restrictions'],
  notes:
    'Accepts the user password or the owner password, exactly as it is, spaces included; an empty password ' +
    'opens documents that need none. All restrictions are removed together with the encryption. A document ' +
    'that is not encrypted is rewritten. Encryption for certificates, which has no password, cannot be removed.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_password_removed', pages: 'same' },
  writes: 'rewrite',
  passwords: { input: 'password' },
  params: (joi) =>
    joi.object<RemovePasswordParams, true>({
      password: shown(
        joi
          .string()
          .allow('')
          .max(MAX_PASSWORD_LENGTH)
          .default('')
          .description('User or owner password; empty if the document opens without one')
          .example('open sesame'),
        { help: 'Empty if the document opens without one.' },
      ),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'the user password',
      files: ['locked.pdf'],
      params: { password: 'user' },
      expect: { pages: [1], names: ['locked_password_removed.pdf'] },
    },
    {
      title: 'the owner password',
      files: ['locked.pdf'],
      params: { password: 'owner' },
      expect: { pages: [1] },
    },
    {
      title: 'restrictions on a document that anyone can open',
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
