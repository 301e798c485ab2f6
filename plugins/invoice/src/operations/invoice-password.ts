import { type DocumentFile, type JoiRoot, type RunContext, shown } from '@quire/registry';

/** Longer than any password that viewers use in full; the same as that of `security/remove-password`. */
const MAX_PASSWORD_LENGTH = 4096;

/** The password of operations that read invoices, for `passwords` of the operation. */
export const passwords = { input: 'password' } as const;

/** The field that it names. */
export function passwordField(joi: JoiRoot) {
  return shown(
    joi
      .string()
      .allow('')
      .max(MAX_PASSWORD_LENGTH)
      .default('')
      .description('User or owner password of an encrypted PDF; empty for one that opens without, and for XML')
      .example('open sesame'),
    { label: 'Password of the PDF', help: 'Empty if the file opens without one.' },
  );
}

/** A file that opens without a password. */
export interface Opened {
  readonly path: string;
  /** The file that was sent is encrypted. */
  readonly encrypted: boolean;
}

/** Decrypts a PDF into the folder of the run where a password is given. Throws PDF_ENCRYPTED for a wrong one. */
export async function openWith(password: string, file: DocumentFile, ctx: RunContext): Promise<Opened> {
  if (password === '' || file.kind !== 'pdf') return { path: file.path(), encrypted: false };
  const { decryptPdf } = await import('../functions/hybrid/decrypt-pdf.js');
  return decryptPdf(file.path(), password, `${await ctx.folder()}/decrypted.pdf`);
}
