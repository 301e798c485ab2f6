import { editFile } from '@quire/document/file/open';

/**
 * Writes an encrypted PDF to `target` without its encryption; a PDF that is not encrypted stays where it is. Throws
 * PDF_ENCRYPTED for a password that does not open it, and the errors of `withPdf`.
 */
export async function decryptPdf(
  path: string,
  password: string,
  target: string,
): Promise<{ readonly path: string; readonly encrypted: boolean }> {
  let encrypted = false;
  await editFile(path, target, { mode: 'rewrite', stamp: false, protection: 'none', password }, ({ decrypted }) => {
    encrypted = decrypted;
  });
  return { path: encrypted ? target : path, encrypted };
}
